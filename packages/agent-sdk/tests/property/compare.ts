import type { Block, Message } from "../../src/messages/blocks.ts";
import { EVENTS, type Scenario } from "./generate.ts";
import { PROMPT, wireText, type Seen } from "./play.ts";
import { isObject, type Input, type Text } from "./reference.ts";
import type { Expected } from "./referenceTurn.ts";

/** Every difference between what the reference expects and what was seen, one sentence each. */
export function differences(expected: Expected, seen: Seen, scenario: Scenario): string[] {
  return [
    ...turnDifferences(expected, seen),
    ...toolDifferences(expected, seen, scenario),
    ...runDifferences(expected, seen, scenario),
    ...modelDifferences(expected, seen),
    ...messageDifferences(expected, seen),
    ...userDifferences(expected, seen, scenario),
    ...failedOpenDifferences(expected, seen),
  ];
}

function turnDifferences(
  expected: Expected,
  { end, requests, asked, messages, sessionFile }: Seen,
): string[] {
  const wrong: string[] = [];
  if (!expected.because.includes(end.because)) {
    wrong.push(
      `the turn ended because ${end.because}, expected ${expected.because.join(" or ")} (${end.reason ?? ""})`,
    );
  }
  if (requests.length !== expected.modelCalls) {
    wrong.push(`${requests.length} model calls, expected ${expected.modelCalls}`);
  }
  if (end.unanswered !== expected.unanswered)
    wrong.push(`unanswered is ${end.unanswered}, expected ${expected.unanswered}`);
  if (asked.length !== expected.asked.length) {
    wrong.push(
      `${asked.length} questions were asked, expected ${expected.asked.length}: ${JSON.stringify(asked)}`,
    );
  }
  for (const [i, { about, reasons }] of expected.asked.entries()) {
    const request = asked[i];
    if (!request) continue;
    if (request.toolName !== about)
      wrong.push(`the question is about ${request.toolName}, expected ${about}`);
    const missing = outOfOrder(request.reason + request.askedBy.join(" "), reasons);
    if (missing) wrong.push(`the question lacks ${show(missing)}: ${request.reason}`);
    if (about !== "prompt" && !equal(request.input, expected.tool?.input)) {
      wrong.push(
        `the question shows another input than the one that would run: ${JSON.stringify(request.input)}`,
      );
    }
  }
  const promptIsThere = JSON.stringify(messages).includes(PROMPT);
  if (promptIsThere === expected.erased) {
    wrong.push(
      `the prompt is ${promptIsThere ? "still" : "not"} in the messages, erased: ${expected.erased}`,
    );
  }
  if (expected.erased && sessionFile.includes(PROMPT)) wrong.push("the erased prompt is in the session file");
  return wrong;
}

/** What went on although a hook failed is counted, hook by hook. */
function failedOpenDifferences(expected: Expected, seen: Seen): string[] {
  const counted: Record<string, number> = {};
  for (const { hook, count } of seen.failedOpen) counted[hook] = (counted[hook] ?? 0) + count;
  return equal(counted, expected.failedOpen)
    ? []
    : [`failed open: ${JSON.stringify(counted)}, expected ${JSON.stringify(expected.failedOpen)}`];
}

function toolDifferences({ tool }: Expected, seen: Seen, { call }: Scenario): string[] {
  const blocks = blocksOf(seen.messages, "tool");
  if (!tool)
    return blocks.length > 0 || Object.keys(seen.files).length > 0
      ? ["a tool was called without a model"]
      : [];
  const wrong: string[] = [];
  const files = tool.ran ? writtenBy(call.tool, tool.input) : {};
  if (!equal(seen.files, files)) {
    wrong.push(`files on disk: ${JSON.stringify(seen.files)}, expected ${JSON.stringify(files)}`);
  }
  if (!equal(seen.toolInputs, tool.ran ? [tool.input] : [])) {
    wrong.push(
      `the tool ran with ${JSON.stringify(seen.toolInputs)}, expected ${tool.ran ? JSON.stringify(tool.input) : "nothing"}`,
    );
  }
  const [block] = blocks;
  if (!block || blocks.length > 1) return [...wrong, `${blocks.length} tool blocks`];
  const result = block.result ?? "";
  if (block.stage !== "ended" || result === "") wrong.push("the call was not answered");
  if (block.success !== tool.ran) wrong.push(`success is ${block.success}, expected ${tool.ran}: ${result}`);
  if (tool.ran && block.input !== undefined && !equal(block.input, tool.input))
    wrong.push("the block shows another input");
  const missing = outOfOrder(result, tool.result);
  if (missing) wrong.push(`the tool result lacks ${show(missing)}: ${result}`);
  if (tool.resultIsExact && tool.result.every((text) => "is" in text)) {
    const whole = tool.result.map((text) => ("is" in text ? text.is : "")).join("\n");
    if (result !== whole)
      wrong.push(`the tool result is ${JSON.stringify(result)}, expected ${JSON.stringify(whole)}`);
  }
  return wrong;
}

function writtenBy(tool: string, input: Input): Record<string, string> {
  const [, words = "", path = ""] =
    tool === "Write"
      ? ["", String(input["content"]), String(input["file_path"])]
      : (/^printf %s '(.*)' >'(.*)'$/.exec(String(input["command"])) ?? []);
  return { [path.split("/").at(-1) ?? ""]: words };
}

/** Each hook ran as often as expected, and was shown the right input. */
function runDifferences(expected: Expected, seen: Seen, scenario: Scenario): string[] {
  const wrong: string[] = [];
  for (const event of EVENTS) {
    for (const hook of scenario.hooks[event]) {
      if (hook.says.end === "missing") continue;
      const inputs = seen.stdin[hook.name] ?? [];
      const runs = expected.runs[hook.name] ?? 0;
      if (inputs.length !== runs) wrong.push(`${hook.name} ran ${inputs.length} times, expected ${runs}`);
      for (const [i, input] of inputs.entries()) {
        const shown = event === "PreToolUse" && i === 0 ? scenario.call.input : expected.tool?.input;
        const onTool = event === "PreToolUse" || event === "PostToolUse";
        if (onTool && !equal(input["tool_input"], shown)) {
          wrong.push(
            `${hook.name} was shown ${JSON.stringify(input["tool_input"])}, expected ${JSON.stringify(shown)}`,
          );
        }
        if (event === "PreToolUse" && i === 1 && input["pass"] !== 2)
          wrong.push(`${hook.name}: pass is ${String(input["pass"])}`);
      }
    }
  }
  return wrong;
}

/** What the model server received: everything meant for the model, in order, and no word of a hook beyond that. */
function modelDifferences(expected: Expected, seen: Seen): string[] {
  const request = seen.laterRequest ?? seen.requests.at(-1);
  if (!request) return [];
  const wrong: string[] = [];
  const userTexts = request.filter((message) => message.role === "user").map(wireText);
  const complete = seen.laterRequest !== undefined || expected.because.includes("done");
  const lines = [...expected.context, ...expected.feedback];
  if (complete) {
    const sections = wireSections(request);
    const need = (where: string, text: string, texts: Text[]): void => {
      const missing = outOfOrder(text, texts);
      if (missing) wrong.push(`the model did not get ${show(missing)} ${where}: ${text}`);
    };
    const sure = (event: string, from: Expected["context"]): Text[] =>
      from.filter((line) => line.event === event && line.sure === "yes").map((line) => line.text);
    need(
      "after the prompt",
      sections.prompt,
      expected.plain.map((text) => ({ is: text })),
    );
    need("after the prompt", sections.prompt, sure("UserPromptSubmit", expected.context));
    need("after the tool result", sections.tool, sure("PreToolUse", expected.context));
    need("after the tool result", sections.tool, sure("PostToolUse", expected.context));
    need("after the tool result", sections.tool, sure("PostToolUse", expected.feedback));
    need("after its answer", sections.answer, sure("Stop", expected.feedback));
    const result = request.find((message) => message.role === "tool");
    const block = blocksOf(seen.messages, "tool")[0];
    if (block && (!result || wireText(result) !== block.result))
      wrong.push("the model got another tool result");
  }
  if (expected.erased && JSON.stringify(request).includes(PROMPT))
    wrong.push("the erased prompt went to the model");
  for (const text of expected.plain) {
    if (!userTexts.includes(text)) wrong.push(`no user message is exactly ${JSON.stringify(text)}`);
  }

  const known = [...expected.plain.map((text): Text => ({ is: text })), ...lines.map((line) => line.text)];
  for (const text of userTexts) {
    const isPrompt = text === PROMPT || text.includes("[the second prompt]");
    if (!isPrompt && !known.some((one) => mentions(text, one)))
      wrong.push(`a user message nobody asked for: ${text}`);
  }
  const wanted = new Set(
    [...expected.plain, ...known.map(words), ...(expected.tool?.result ?? []).map(words)].flatMap(tokens),
  );
  const open = expected.openToModel;
  const leaked = tokens(JSON.stringify(request.filter((message) => message.role !== "assistant"))).filter(
    (token) =>
      !wanted.has(token) &&
      !token.endsWith(".content]") &&
      !open.some((hook) => token.startsWith(`[${hook.slice(5)}.`)),
  );
  if (leaked.length > 0) wrong.push(`the model got ${[...new Set(leaked)].join(" ")}, which is not for it`);
  return wrong;
}

/** What stands after the prompt, after the tool result, and after the first answer, users' messages only. */
function wireSections(request: Seen["requests"][number]): { prompt: string; tool: string; answer: string } {
  const text = { prompt: "", tool: "", answer: "" };
  let at: keyof typeof text = "prompt";
  for (const message of request) {
    if (message.role === "tool") at = "tool";
    else if (message.role === "assistant" && !message.tool_calls) at = "answer";
    else if (message.role === "user") text[at] += `${wireText(message)}\n`;
  }
  return text;
}

/** The blocks and messages that what hooks say must be kept in. */
function messageDifferences(expected: Expected, { messages }: Seen): string[] {
  const wrong: string[] = [];
  const hookBlocks = blocksOf(messages, "hook");
  const plainUser = messages.filter(
    (message) => message.role === "user" && message.blocks.length === 1 && message.blocks[0]?.type === "text",
  );
  const plainTexts = plainUser.map((message) =>
    message.blocks[0]?.type === "text" ? message.blocks[0].content : "",
  );
  const hasBlock = (event: string, text: Text): boolean =>
    hookBlocks.some(
      (block) =>
        block.hookEvent === event && mentions(block.content + JSON.stringify(block.metadata ?? {}), text),
    );
  if (!expected.erased && plainTexts[0] !== PROMPT) wrong.push(`the first user message is ${plainTexts[0]}`);
  for (const text of expected.plain) {
    if (!plainTexts.includes(text)) wrong.push(`no message is exactly ${JSON.stringify(text)}`);
  }
  for (const line of expected.context) {
    if (line.sure === "yes" && !hasBlock(line.event, line.text))
      wrong.push(`no HookBlock of ${line.event} with ${show(line.text)}`);
  }
  for (const { event, hook, text, from, sure } of expected.feedback) {
    if (sure !== "yes") continue;
    const inMessage = messages.some(
      (message) =>
        plainUser.includes(message) &&
        mentions(
          `${JSON.stringify(message.origin ?? {})} ${message.blocks[0]?.type === "text" ? message.blocks[0].content : ""}`,
          text,
        ),
    );
    if (from === "json" && !hasBlock(event, text))
      wrong.push(`${hook}: no HookBlock of ${event} with ${show(text)}`);
    if (from === "exit" && !("is" in text ? plainTexts.includes(text.is) : inMessage)) {
      wrong.push(`${hook}: no plain message ${show(text)} after ${event}`);
    }
    if (from === "either" && !inMessage && !hasBlock(event, text))
      wrong.push(`${hook}: nothing says ${show(text)} after ${event}`);
  }
  return wrong;
}

/** Errors, warnings and stop reasons: what the user sees, hook by hook. */
function userDifferences(expected: Expected, seen: Seen, scenario: Scenario): string[] {
  const wrong: string[] = [];
  const errors = blocksOf(seen.messages, "error").map(seenText);
  const warns = blocksOf(seen.messages, "warn").map(seenText);
  const haltWords = expected.halts.map(words);
  const isOnlyShown = (text: string): boolean =>
    [...expected.systemMessages, ...haltWords].includes(text.replace(/ \([^)]*\)$/, ""));
  /** Reasons of an allow, an ask or a stop are for the user, and how they are shown is left open. */
  const isReason = (text: string): boolean =>
    /\.(system|reason|topReason)\]/.test(text) || haltWords.some((halt) => text.includes(halt));

  for (const text of expected.systemMessages) {
    if (!warns.some((warn) => warn.includes(text))) wrong.push(`the system message ${text} is not shown`);
  }
  const everything = [
    ...errors,
    ...warns,
    seen.end.reason ?? "",
    ...blocksOf(seen.messages, "text").map((block) => block.content),
  ];
  for (const halt of expected.halts) {
    if (!everything.some((text) => mentions(text, halt)))
      wrong.push(`the stop reason ${show(halt)} is not shown`);
  }
  for (const [one, two] of expected.warnedTogether) {
    if (!warns.some((warn) => warn.includes(one) && warn.includes(two)))
      wrong.push(`no warning names ${one} and ${two} together`);
  }
  for (const hook of EVENTS.flatMap((event) => scenario.hooks[event])) {
    const isAbout = (text: string): boolean =>
      text.includes(hook.name) || text.includes(`[${hook.name.slice(5)}.`);
    const lines = expected.errors.filter((line) => line.hook === hook.name);
    const least = lines.filter((line) => line.sure === "yes").length;
    const halts = expected.halts.some(
      (halt) => words(halt).includes(hook.name) || words(halt).includes(`[${hook.name.slice(5)}.`),
    );
    // An error about broken output quotes it, and the output may quote what another hook wrote into the input.
    const isFrom = (text: string): boolean =>
      text.includes("looks like JSON and cannot be parsed") ? text.endsWith(`(${hook.name})`) : isAbout(text);
    const own = errors.filter(isFrom);
    const most = lines.length + (halts ? 1 : 0);
    if (own.length < least || own.length > most) {
      wrong.push(
        `${hook.name} has ${own.length} ErrorBlocks, expected ${least} to ${most}: ${JSON.stringify(own)}`,
      );
    }
    for (const { text, sure } of lines) {
      if (sure === "yes" && !own.some((error) => mentions(error, text)))
        wrong.push(`no ErrorBlock of ${hook.name} with ${show(text)}: ${JSON.stringify(own)}`);
    }
    const warned = warns.filter((text) => isFrom(text) && !isOnlyShown(text));
    const due = expected.warns[hook.name] ?? "no";
    if (due === "yes" && warned.length === 0) wrong.push(`${hook.name} has no WarnBlock`);
    if (due === "no" && !warned.every(isReason))
      wrong.push(`${hook.name} has a WarnBlock: ${JSON.stringify(warned)}`);
  }
  const anonymous = errors.filter((text) => !/hook-[UPAS]\d|\[[UPAS]\d\./.test(text));
  if (anonymous.length > 0 && expected.because.includes("done"))
    wrong.push(`errors of nobody: ${JSON.stringify(anonymous)}`);
  return wrong;
}

const seenText = (block: Extract<Block, { type: "error" | "warn" }>): string =>
  `${block.content}${block.origin ? ` (${block.origin.hook})` : ""}`;

function blocksOf<T extends Block["type"]>(
  messages: readonly Message[],
  type: T,
): Extract<Block, { type: T }>[] {
  return messages.flatMap((message) =>
    message.blocks.filter((block): block is Extract<Block, { type: T }> => block.type === type),
  );
}

const tokens = (text: string): string[] => text.match(/\[[UPAS]\d\.[^\]\s]*\]/g) ?? [];
const words = (text: Text): string =>
  "is" in text ? text.is : ("any" in text ? text.any : text.all).join(" ");
const show = (text: Text): string => JSON.stringify(text);

function mentions(where: string, text: Text): boolean {
  if ("is" in text) return where.includes(text.is);
  return "any" in text
    ? text.any.some((word) => where.includes(word))
    : text.all.every((word) => where.includes(word));
}

/** The first text that does not follow the ones before it. */
function outOfOrder(where: string, texts: Text[]): Text | undefined {
  let from = 0;
  for (const text of texts) {
    const alternatives = "is" in text ? [text.is] : "any" in text ? text.any : text.all;
    if (alternatives.length === 0) continue;
    const found = alternatives
      .map((word) => ({ word, at: where.indexOf(word, from) }))
      .filter(({ at }) => at >= 0);
    const first = found.toSorted((a, b) => a.at - b.at)[0];
    if (!first) return text;
    from = first.at + first.word.length;
  }
  return undefined;
}

function equal(a: unknown, b: unknown): boolean {
  if (isObject(a) && isObject(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => equal(a[key], b[key]));
  }
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, i) => equal(one, b[i]));
  return a === b;
}
