import type { MessageManager } from "../managers/messageManager.ts";
import { resourceToolName } from "../tools/mcp/toolNames.ts";
import type { ToolLookup, ToolRegistry } from "../tools/sources/registry.ts";
import type { SourceStatus } from "../tools/sources/toolSource.ts";
import { untilAborted } from "../tools/untilAborted.ts";
import { shortened } from "../utils/quoted.ts";
import type { PersonShell } from "./personShell.ts";
import type { Attach } from "./promptManager.ts";

/** `@server:uri` of a prompt. Each is read by a call of its own. */
export type NamedResource =
  | { tool: string; uri: string }
  /** It is not read, and why. */
  | { problem: string };

const MOST = 10;
const MENTION = /(?<=^|\s)@([A-Za-z0-9][\w-]{0,39}):([^\s"]+)/g;

/** May name one: whether there is such a server is another question. */
const mayNameResource = (text: string) => text.search(MENTION) >= 0;

/**
 * What a prompt names of servers that there are; any other `@word:word` is text. What a command says behind its first paragraph is a
 * file's word or a server's, and no person's: it is not read for the asking.
 */
export function namedResources(
  prompt: string,
  sources: readonly SourceStatus[],
  tools: Pick<ToolLookup, "get">,
): NamedResource[] {
  const typedEnd = prompt.startsWith("/") ? prompt.indexOf("\n\n") : -1;
  const typed = typedEnd < 0 ? prompt.length : typedEnd;
  const found = new Map<string, NamedResource>();
  for (const match of prompt.matchAll(MENTION)) {
    const [, server = "", written = ""] = match;
    const source = sources.find(({ name }) => name === `mcp__${server}`);
    if (!source) continue;
    const uri = addressIn(written, server, source);
    const mention = `@${server}:${uri}`;
    const tool = resourceToolName(server);
    const why = whyNot(source, { isTyped: match.index < typed, hasTool: tools.get(tool) !== undefined });
    if (!found.has(mention))
      found.set(
        mention,
        why === undefined ? { tool, uri } : { problem: `${shortened(mention, 200)} is not read: ${why}` },
      );
  }
  const all = [...found.values()];
  const left = all.length - MOST;
  if (left <= 0) return all;
  return [
    ...all.slice(0, MOST),
    { problem: `${left} of ${all.length} resources are not read: at most ${MOST}` },
  ];
}

function whyNot({ state }: SourceStatus, about: { isTyped: boolean; hasTool: boolean }): string | undefined {
  if (!about.isTyped) return "it stands in the text of a command";
  if (about.hasTool) return undefined;
  return state === "ready" ? "the server has nothing to read" : `the server is not ready (${state})`;
}

/** Reads what a prompt names, one after the other, each through the gate. */
export const attachNamed =
  (tools: ToolRegistry, person: PersonShell, messages: Pick<MessageManager, "addWarnBlock">): Attach =>
  async (prompt, signal) => {
    if (!mayNameResource(prompt)) return undefined;
    await untilAborted(signal, () => tools.opened);
    for (const named of namedResources(prompt, tools.status(), tools)) {
      if (signal.aborted) return undefined;
      if ("problem" in named) messages.addWarnBlock(named.problem);
      else {
        const ending = await person.attach(named.tool, { uri: named.uri }, signal);
        if (ending) return ending;
      }
    }
    return undefined;
  };

/** A sentence may go on behind the address. */
function addressIn(written: string, server: string, { resources = [] }: SourceStatus): string {
  const isListed = resources.some(({ name }) => name === `${server}:${written}`);
  return isListed ? written : written.replace(/[.,;:!?)\]}>'"]+$/, "");
}
