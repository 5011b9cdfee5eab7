import { anyArg, inside, lastName, plainArg } from "../words/args.ts";
import type { ProgramCall } from "../walk/programCall.ts";
import type { Arg } from "../words/expand.ts";
import { GAP } from "../words/unknownText.ts";
import { optionList, parseArgs, type ParsedArgs } from "./options.ts";

const CURL = optionList(
  "0 1 2 3 4 6 # a A= b= B c=w C= d= D=w e= E= f F= g G H= i I j J k K=r l L m= M n N o=w O p P= q Q= r= R s S t= T=r u= U= v V w= x= X= y= Y= z= Z " +
    "output=w output-dir= remote-name remote-name-all remote-header-name dump-header=w cookie-jar=w trace=w trace-ascii=w stderr=w libcurl=w " +
    "etag-save=w hsts=w alt-svc=w config=r upload-file=r data= data-raw= data-binary= data-urlencode= json= form= header= request= " +
    "user= user-agent= url= location silent show-error fail fail-with-body insecure include head get compressed max-time= connect-timeout= " +
    "retry= retry-delay= retry-max-time= create-dirs proxy= cacert= cert= key= verbose progress-bar parallel ssl-reqd tlsv1.2 http1.1 http2 range= referer= cookie= write-out= no-progress-meter",
);

export function curl(call: ProgramCall): void {
  const parsed = parseArgs(call.args, CURL);
  fetches(call, parsed);
  for (const arg of parsed.operands.concat(parsed.values("url"))) readsIn(call, arg, FILE_URL);
  for (const [options, file] of CURL_FILES)
    for (const arg of parsed.values(...options)) readsIn(call, arg, file);
  if (parsed.doubt !== undefined) for (const arg of parsed.operands) call.mention(arg);
  const [folder] = parsed.values("output-dir");
  const placed = (arg: Arg) => (folder ? inside(folder, arg) : arg);
  for (const arg of parsed.writes) call.write(placed(arg));
  if (parsed.has("J", "remote-header-name")) call.write(placed(plainArg(GAP.hidden)));
  else if (parsed.has("O", "remote-name", "remote-name-all"))
    for (const arg of parsed.operands) call.write(placed(lastName(arg) ?? anyArg(arg.source)));
}

/** Values of curl's options that name a file, which is sent. */
const CURL_FILES: readonly [options: readonly string[], file: RegExp][] = [
  [["d", "data", "data-binary", "json", "H", "header", "w", "write-out"], /^@(.+)$/s],
  [["data-urlencode"], /^[^=@]*@(.+)$/s],
  [["F", "form"], /=[@<]([^;]+)/s],
  [["b", "cookie"], /^([^=]+)$/s],
];
const FILE_URL = /^file:(?:\/\/[^/]*)?(\/.*)$/is;

function readsIn(call: ProgramCall, arg: Arg, file: RegExp): void {
  for (const text of arg.texts) {
    const path = text.startsWith(GAP.any) ? text : file.exec(text)?.[1];
    // curl makes several of `{a,b}` and `[1-9]`, and letters of `%61`.
    if (path !== undefined) call.read(/[%{[,"]/.test(path) ? anyArg(arg.source) : { ...arg, texts: [path] });
  }
}

const WGET = optionList(
  "4 6 A= a=w b B= c d D= e= E F g= H i=r I= k K l= L m N nc nd nH np nv O=w o=w p P= q Q= r R= S t= T= U= v V w= x X= " +
    "execute= output-document=w output-file=w append-output=w directory-prefix= input-file=r quiet no-verbose continue timestamping recursive mirror " +
    "no-check-certificate header= user-agent= post-data= post-file=r body-file=r method= tries= timeout= spider content-disposition no-clobber save-cookies=w show-progress no-parent level=",
);

export function wget(call: ProgramCall): void {
  const parsed = parseArgs(call.args, WGET);
  fetches(call, parsed);
  for (const arg of parsed.writes) call.write(arg);
  // A line of its settings file: any of its options under another name.
  for (const arg of parsed.values("e", "execute"))
    for (const text of arg.texts) {
      const [, value = text] = /^\s*\w+\s*=\s*(.+)$/s.exec(text) ?? [];
      call.write({ ...arg, texts: [value] });
    }
  const [folder = plainArg(".")] = parsed.values("P", "directory-prefix");
  if (parsed.has("r", "m", "p", "x", "recursive", "mirror"))
    return call.write(folder, { below: true, through: "archive" });
  if (parsed.has("content-disposition")) call.write(inside(folder, plainArg(GAP.hidden)));
  if (parsed.has("O", "output-document", "spider")) return;
  for (const arg of parsed.operands) call.write(inside(folder, lastName(arg) ?? plainArg("index.html")));
}

function fetches(call: ProgramCall, parsed: ParsedArgs): void {
  call.unclear(parsed.doubt ?? `${call.name} talks to the network`);
  call.changes(`${call.name} talks to the network`);
  for (const arg of parsed.reads) call.read(arg);
}
