import { plainName } from "../wrappers.ts";
import { plainArg, type Program, type ProgramCall } from "./call.ts";
import { literalOf, type Arg } from "./expand.ts";
import { beginningOf, isStream, placeIn } from "./gaps.ts";
import { optionList, parseArgs, type OptionList } from "./options.ts";
import { inFolders, UNKNOWN } from "./scope.ts";
import { assignedFile } from "./writers.ts";

/** A program whose arguments are another command. */
interface Wrapper {
  options: OptionList;
  /** Words of its own before the command: a number of seconds, a lock file. */
  skip: number;
  /** What may run without it may run with it. */
  transparent: boolean;
  /** Options with text for a shell. */
  text: readonly string[];
  /** Files among its own words and options that it writes. */
  writes: readonly string[];
}

const wrapper = (options: string, rest: Partial<Omit<Wrapper, "options">> = {}): Wrapper => ({
  options: optionList(options),
  skip: 0,
  transparent: false,
  text: [],
  writes: [],
  ...rest,
});

const SUDO =
  "A B b C= D= E e g= H h= i K k l n N P p= R= r= S s T= t= U= u= V v askpass background close-from= chdir= preserve-env? group= set-home host= " +
  "login non-interactive preserve-groups prompt= chroot= role= stdin shell type= command-timeout= other-user= user= validate";

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  nice: wrapper("n= # adjustment=", { transparent: true }),
  nohup: wrapper("", { transparent: true }),
  time: wrapper("p f= a v o=w format= output=w append portability verbose", { transparent: true }),
  timeout: wrapper("k= s= v p f kill-after= signal= verbose preserve-status foreground", {
    transparent: true,
    skip: 1,
  }),
  stdbuf: wrapper("i= o= e= input= output= error=", { transparent: true }),
  setsid: wrapper("c f w ctty fork wait", { transparent: true }),
  sudo: wrapper(SUDO),
  doas: wrapper("C= L n s u="),
  ionice: wrapper("c= n= p= P= t u= class= classdata= ignore"),
  chrt: wrapper("a b d f i m o p r R T= P= D= v", { skip: 1 }),
  taskset: wrapper("a c p", { skip: 1 }),
  setpriv: wrapper("reuid= regid= clear-groups init-groups keep-groups no-new-privs"),
  flock: wrapper("e F n o s u w= x E= c= exclusive nonblock shared timeout= command= verbose close", {
    skip: 1,
    text: ["c", "command"],
  }),
  strace: wrapper(
    "c C d D e= E= f F i k o=w p= P= q r s= S= t T u= v w x X= y Y output=w trace= follow-forks",
  ),
  ltrace: wrapper("b c C e= f i l= L n= o=w p= r s= S t T u= x= output=w"),
  unshare: wrapper(
    "c C f i m n p r T u U kill-child? map-root-user mount-proc? fork mount uts ipc net pid user",
  ),
  "systemd-run": wrapper(
    "G P p= q r S t u= user scope unit= property= wait pty pipe collect same-dir uid= gid= setenv=",
  ),
  "xvfb-run": wrapper("a e= f= n= l s= auto-servernum"),
  prlimit: wrapper(
    "p= o= c? d? e? f? i? l? m? n? q? r? s? t? u? v? x? y? core? data? nice? fsize? sigpending? memlock? rss? nofile? msgqueue? " +
      "rtprio? stack? cpu? nproc? as? locks? rttime? pid= noheadings raw verbose",
  ),
  "ssh-agent": wrapper("c s k d D a=w t= E= O= P="),
  "dbus-run-session": wrapper("config-file= dbus-daemon="),
  bwrap: wrapper(
    "unshare-all unshare-net unshare-pid unshare-user share-net die-with-parent new-session bind=2 ro-bind=2 dev-bind=2 " +
      "symlink=2 setenv=2 dev= proc= tmpfs= dir= chdir= unsetenv= hostname= uid= gid= clearenv",
  ),
  "ld.so": wrapper("preload= library-path= argv0= audit= inhibit-cache list verify"),
  busybox: wrapper(""),
  toybox: wrapper(""),
  npx: wrapper("p= q y c= package= call= yes no quiet", { text: ["c", "call"] }),
  bunx: wrapper("bun silent"),
  watch: wrapper(
    "b c C d? e g n= p q= r t w x beep color differences? errexit chgexit interval= no-title exec",
  ),
  su: wrapper("c= f g= G= l m p P s= w= command= login preserve-environment shell=", {
    text: ["c", "command"],
  }),
  runuser: wrapper("c= f g= G= l m p P s= u= w= command= login user=", { text: ["c", "command"] }),
};

/** Their words are read as text by a shell. */
const JOINING = new Set(["watch", "su", "runuser"]);

/** `isKnown` tells programs about which something is known. */
export function wrapperFor(name: string, isKnown: (name: string) => boolean): Program | undefined {
  if (name === "env") return (call) => env(call, isKnown);
  if (name === "tmux" || name === "screen")
    return (call) => anywhere(call, `${name} runs a command`, isKnown);
  if (name === "script") return (call) => script(call, isKnown);
  const row = WRAPPERS[Object.hasOwn(WRAPPERS, name) ? name : plainName(name)];
  return row && ((call) => wrap(call, row, isKnown));
}

function wrap(call: ProgramCall, row: Wrapper, isKnown: (name: string) => boolean): void {
  const parsed = parseArgs(call.args, row.options, { stopAtOperand: true });
  for (const arg of parsed.writes) call.write(arg);
  if (!row.transparent) call.changes(`${call.name} runs a command in its own way`);
  for (const arg of parsed.values(...row.text)) asText(call, [arg]);
  const own = parsed.operands.slice(0, row.skip);
  if (call.name === "flock") for (const arg of own) call.write(arg);
  const inner = withoutAssignments(parsed.operands.slice(row.skip));
  // `sudo -e file`, `sudo -s 'text'`.
  if (parsed.has("e") && call.name === "sudo") for (const arg of inner) call.write(arg);
  if (parsed.doubt !== undefined) return anywhere(call, parsed.doubt, isKnown);
  if (call.name === "sudo" && parsed.has("s", "i", "shell", "login")) asText(call, inner);
  else if (JOINING.has(call.name)) asText(call, call.name === "watch" ? inner : inner.slice(1));
  else if (inner.length > 0) call.follow(inner);
}

const SCRIPT = optionList(
  "a c= e E= f q m= o= t?  B=w I=w O=w T=w command= append return flush force quiet echo= output-limit= logging-format= log-io=w " +
    "log-in=w log-out=w log-timing=w timing?",
);

/** It runs a command and keeps a record of it in a file. */
function script(call: ProgramCall, isKnown: (name: string) => boolean): void {
  const parsed = parseArgs(call.args, SCRIPT);
  call.changes("script runs a command in its own way");
  for (const arg of parsed.values("c", "command")) asText(call, [arg]);
  const records = parsed.operands.length > 0 ? parsed.operands : [plainArg("typescript")];
  for (const arg of [...parsed.writes, ...parsed.values("t", "timing"), ...records]) call.write(arg);
  if (parsed.doubt !== undefined) anywhere(call, parsed.doubt, isKnown);
}

const ENV = optionList("0 C= i S= u= v - chdir= split-string= unset= ignore-environment null debug");

function env(call: ProgramCall, isKnown: (name: string) => boolean): void {
  const parsed = parseArgs(call.args, ENV, { stopAtOperand: true });
  const inner = withoutAssignments(parsed.operands);
  const given = parsed.operands.slice(0, parsed.operands.length - inner.length);
  for (const arg of given) assignedFile(call, arg);
  for (const arg of parsed.values("S", "split-string")) asText(call, [arg, ...inner]);
  const [folder] = parsed.values("C", "chdir");
  const folders = call.scope.folders.flatMap(
    (outer) => folder?.texts.map((text) => placeIn(outer, text)) ?? [outer],
  );
  if (inner.length < parsed.operands.length || parsed.has("i", "-", "ignore-environment", "u", "unset"))
    call.changes("it sets variables for a program");
  if (parsed.doubt !== undefined) anywhere(call, parsed.doubt, isKnown);
  else if (inner.length > 0) {
    // As for variables that stand before a command: git may work anywhere.
    const elsewhere = given.some(({ texts }) => texts.some((text) => text.startsWith("GIT_")));
    call.follow(inner, inFolders(call.scope, elsewhere ? UNKNOWN : folders));
  } else if (!parsed.has("S", "split-string")) call.changes("it prints the environment");
}

/** The command may begin at any word that is a known program: what each of them would do is all looked at. */
function anywhere(call: ProgramCall, why: string, isKnown: (name: string) => boolean): void {
  call.opaque(why);
  call.args.forEach((arg, at) => {
    const text = literalOf(arg);
    if (text !== undefined && isKnown(text.slice(text.lastIndexOf("/") + 1)))
      call.follow(call.args.slice(at));
    // And where it is text, a shell may read it.
    else if (text !== undefined && /[\s;|&]/.test(text)) call.followText(text);
  });
}

function asText(call: ProgramCall, args: readonly Arg[]): void {
  const texts = args.map(literalOf);
  if (texts.length === 0) return;
  if (texts.every((text) => text !== undefined)) return call.followText(texts.join(" "));
  const why = `${call.name} runs text that is not known yet`;
  // Of text with a name in it something is known; of text that another program makes, nothing.
  const isMade = ({ source, texts: all }: Arg) =>
    /\$\(|`/.test(source) || all.every((text) => beginningOf(text).begins === "");
  if (args.some((arg) => literalOf(arg) === undefined && isMade(arg))) call.beyondReach(why);
  else call.unclear(why);
  for (const arg of args) call.mention(arg);
}

function withoutAssignments(args: readonly Arg[]): readonly Arg[] {
  const at = args.findIndex((arg) => !arg.texts.every((text) => /^\w+=/.test(text)));
  return at < 0 ? [] : args.slice(at);
}

const SHELLS = new Set(["bash", "sh", "dash", "ash", "zsh", "ksh", "rbash", "mksh", "fish"]);

export function shellFor(name: string): Program | undefined {
  return SHELLS.has(name) ? shell : undefined;
}

/** A shell as a program: text behind -c, a script file, or what it reads from its input. */
function shell(call: ProgramCall): void {
  const words = call.args.map(literalOf);
  // `-lc`, `-ec`: the text is the next word that is no option.
  const flag = words.findIndex((word) => word !== undefined && /^-[a-zA-Z]*c[a-zA-Z]*$/.test(word));
  if (flag >= 0) {
    const at = words.findIndex((word, index) => index > flag && !/^[-+]/.test(word ?? ""));
    const script = call.args[at];
    if (flag > 0 || words[flag] !== "-c") call.changes(`${call.name} is started with options`);
    asText(call, script ? [script] : [plainArg("")]);
    if (script && call.args.length > at + 1) for (const arg of call.args.slice(at + 1)) call.mention(arg);
    return;
  }
  const file = call.args.find((arg) => !/^[-+]/.test(literalOf(arg) ?? ""));
  if (file && literalOf(file) !== "/dev/stdin") {
    call.read(file);
    if (file.texts.some(isStream)) call.beyondReach(`${call.name} runs text that is not known yet`);
    call.unclear(`${call.name} runs a script that Wave does not read`);
    for (const arg of call.args) if (arg !== file) call.mention(arg);
    return;
  }
  const fed = call.fed?.map(literalOf) ?? [];
  if (fed.length > 0 && fed.every((text) => text !== undefined)) call.followText(fed.join(" "));
  else call.opaque(`${call.name} runs what it reads from its input`);
}
