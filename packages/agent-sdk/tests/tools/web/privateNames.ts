/** Runs in a network of its own: a name server whose names lead to this machine, and a server there that nobody may reach. */
import { createSocket } from "node:dgram";
import { createServer } from "node:http";
import { fetchPage } from "../../../src/tools/web/fetchPage.ts";

const PUBLIC = [198, 51, 100, 7];
const LOCAL = [127, 0, 0, 1];
let asked = 0;
/** What each name is, each time somebody asks. */
const NAMES: Record<string, (time: number) => number[][]> = {
  "private.test": () => [LOCAL],
  "mixed.test": () => [PUBLIC, LOCAL],
  "network.test": () => [[10, 1, 2, 3]],
  "cloud.test": () => [[169, 254, 169, 254]],
  // Public when somebody looks, private when somebody connects.
  "rebind.test": (time) => [time === 1 ? PUBLIC : LOCAL],
};

const times = new Map<string, number>();
const names = createSocket("udp4");
names.on("message", (query, from) => {
  const name = nameIn(query);
  const type = query.readUInt16BE(12 + name.length + 2);
  const time = (times.get(name) ?? 0) + (type === 1 ? 1 : 0);
  times.set(name, time);
  const addresses = type === 1 ? (NAMES[name]?.(time) ?? []) : [];
  const answers = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address]),
  );
  const question = query.subarray(12, 12 + name.length + 6);
  const head = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, answers.length, 0, 0, 0, 0]);
  names.send(Buffer.concat([head, question, ...answers]), from.port, from.address);
});

function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; query[at]; at += 1 + (query[at] ?? 0))
    labels.push(query.toString("latin1", at + 1, at + 1 + (query[at] ?? 0)));
  return labels.join(".");
}

const server = createServer((_request, response) => {
  asked++;
  response.end("secret");
});
await new Promise<void>((resolve) => server.listen(80, "0.0.0.0", resolve));
await new Promise<void>((resolve) => names.bind(53, "127.0.0.1", resolve));

const said: Record<string, unknown> = {};
const get = (url: string, mayBePrivate = false) =>
  fetchPage(new URL(url), { env: {}, signal: AbortSignal.timeout(20_000), mayBePrivate });
for (const name of Object.keys(NAMES)) {
  for (const which of ["", " again"]) said[`${name}${which}`] = await get(`http://${name}/`);
}
const askedBefore = asked;
const named = await get("http://private.test/", true);
console.log(JSON.stringify({ said, askedBefore, named: named.is, asked, times: Object.fromEntries(times) }));
server.close();
names.close();
process.exit(0);
