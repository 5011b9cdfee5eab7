import type { ScriptedRequestBody } from "../scenario.ts";
import { asRecord, isText, isToolName, isWellFormed } from "./checkRequest.ts";
import { isSealOf, withoutTheirSeal } from "./replies.ts";
import type { Json, Memory } from "./wire.ts";

type Asked = { model: string; memory: Memory };
interface Content {
  role: unknown;
  parts: Json[];
}

/** What Google's server rejects, a sentence each, with the place. */
export function checkGemini(body: ScriptedRequestBody, asked: Asked): string[] {
  const contents = Array.isArray(body["contents"]) ? body["contents"].map(readContent) : [];
  return [
    ...(isWellFormed(body) ? [] : ["the request has half a surrogate pair in it"]),
    ...(contents.length > 0 ? [] : ["contents are required"]),
    ...checkTools(body["tools"]),
    ...contents.flatMap((content, at) => checkContent(content, `contents[${at}]`)),
    ...(contents.at(-1)?.role === "model" ? ["the last content is the model's"] : []),
    ...checkTurns(contents),
    ...contents.flatMap((content, at) => checkSeals(content, `contents[${at}]`, asked)),
  ];
}

function readContent(value: unknown): Content {
  const { role, parts } = asRecord(value) ?? {};
  return { role, parts: Array.isArray(parts) ? parts.map((part) => asRecord(part) ?? {}) : [] };
}

function checkTools(tools: unknown): string[] {
  if (tools === undefined) return [];
  const declared = (Array.isArray(tools) ? tools : []).flatMap((tool) => {
    const list = asRecord(tool)?.["functionDeclarations"];
    return Array.isArray(list) ? list.map((entry) => asRecord(entry) ?? {}) : [];
  });
  if (declared.length === 0) return ["tools: nothing is declared"];
  return declared.flatMap((tool, at) => {
    const schema = asRecord(tool["parametersJsonSchema"] ?? tool["parameters"]);
    return isToolName(tool["name"]) && schema ? [] : [`tools[0].function_declarations[${at}]: is invalid`];
  });
}

function checkContent({ role, parts }: Content, at: string): string[] {
  if (role !== "user" && role !== "model") return ["Please use a valid role: user, model."];
  if (parts.length === 0) return [`${at}.parts: must not be empty`];
  return parts.flatMap((part, index) => checkPart(part, `${at}.parts[${index}]`));
}

function checkPart(part: Json, at: string): string[] {
  const { text, inlineData, functionCall, functionResponse } = part;
  const data = asRecord(inlineData);
  const named = asRecord(functionCall) ?? asRecord(functionResponse);
  if (named) {
    const what = asRecord(named["args"] ?? named["response"]);
    return isToolName(named["name"]) && what ? [] : [`${at}: function name or its data is missing`];
  }
  if (data) return isText(data["mimeType"]) && isText(data["data"]) ? [] : [`${at}.inlineData: is no image`];
  const isSaid = typeof text === "string" && (text !== "" || part["thoughtSignature"] !== undefined);
  return isSaid ? [] : [`${at}: required oneof field 'data' must have one initialized field`];
}

/** The results of a turn's calls follow it directly, as many as there were calls, with their names and ids. */
function checkTurns(contents: readonly Content[]): string[] {
  const namesIn = (content: Content | undefined, field: string) =>
    (content?.parts ?? []).flatMap((part) => {
      const of = asRecord(part[field]);
      return of ? [`${String(of["name"])} ${String(of["id"])}`] : [];
    });
  return contents.flatMap((content, at) => {
    const asked = namesIn(contents[at - 1], "functionCall");
    const answered = namesIn(content, "functionResponse");
    return JSON.stringify(asked) === JSON.stringify(answered)
      ? []
      : [
          `contents[${at}]: the number of function response parts is not equal to the number of function call parts of the function call turn`,
        ];
  });
}

function checkSeals({ parts }: Content, at: string, asked: Asked): string[] {
  const given = parts.flatMap(({ thoughtSignature: seal }) => (seal === undefined ? [] : [seal]));
  const wrong = given.filter((seal) => seal !== SKIPPED && !isSealOf(seal, "", asked.model));
  const ids = parts.flatMap((part) => asRecord(part["functionCall"])?.["id"] ?? []).map(String);
  const isMissing = !given.includes(SKIPPED) && withoutTheirSeal(ids.slice(0, 1), given, asked).length > 0;
  return [
    ...wrong.map(() => `${at}: Thought signature is not valid`),
    ...(isMissing ? [`${at}: Function call is missing a thought_signature in functionCall parts.`] : []),
  ];
}

const SKIPPED = "skip_thought_signature_validator";
