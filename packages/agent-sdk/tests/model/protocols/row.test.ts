import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { askForModels, askModel } from "@/model/askModel.ts";
import type { Adaptation } from "@/model/adaptations.ts";
import { asRecord, asText, parseJson } from "@/model/json.ts";
import type { AnswerDecoder, Delta, NeutralRequest, Protocol } from "@/model/protocol.ts";
import { PROTOCOLS } from "@/model/protocols/index.ts";
import { PROTOCOL_NAMES } from "@/utils/protocolNames.ts";
import { startPlainServer, type PlainReply } from "../../support/plainServer.ts";
import { modelCall } from "../../support/modelRequest.ts";

interface Letter {
  to: string;
  lines: string[];
  loud?: boolean;
}

const shout: Adaptation<Letter> = {
  name: "shouts",
  says: /speak up/,
  change: (letter) => ({ ...letter, loud: true }),
  does: "shouts",
};

/** A second member of the row: a wire that nobody else speaks, in one file. */
const letters: Protocol<Letter> = {
  name: "letters",
  answerUrl: ({ baseUrl }) => new URL("/post", baseUrl),
  modelsUrl: ({ baseUrl }) => new URL("/readers", baseUrl),
  headers: ({ apiKey }) => ({ "x-stamp": apiKey ?? "" }),
  encode: ({ target, messages }: NeutralRequest) => ({
    to: target.model,
    lines: messages.map(({ role, content }) => `${role}: ${JSON.stringify(content)}`),
  }),
  adaptations: [shout],
  decoder: () => new LetterDecoder(),
  errorIn: (event) => (event["torn"] ? { error: { message: asText(event["torn"]) } } : undefined),
  waitMs: (body) => (body.includes("after lunch") ? 3_600_000 : undefined),
  listed: (body) =>
    asText(asRecord(parseJson(body))?.["readers"])
      ?.split(" ")
      .map((name) => ({ name, contextSize: 7 })),
};

class LetterDecoder implements AnswerDecoder {
  push({ line, call, seal, done }: Record<string, unknown>): Delta[] {
    if (seal) return [];
    if (call) return [{ kind: "call", call: 0, id: "c", name: asText(call), arguments: "{}" }];
    return done ? [{ kind: "finish", reason: "stop" }] : [{ kind: "text", text: asText(line) ?? "" }];
  }

  whole(answer: Record<string, unknown>): Delta[] | undefined {
    return answer["line"] === undefined
      ? undefined
      : [...this.push(answer), { kind: "finish", reason: "stop" }];
  }

  kept() {
    return { fields: { sealed: true } };
  }
}

/** No obligation may be left out: one that could be would be forgotten by the next member. */
type Optional = { [K in keyof Protocol]-?: object extends Pick<Protocol, K> ? K : never }[keyof Protocol];
const NONE_IS_OPTIONAL: [Optional] extends [never] ? true : Optional = true;

const events = (...list: object[]) => list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

/** Asks once for each reply, and gives what came of it with what the server was asked. */
async function post(...replies: PlainReply[]) {
  await using server = await startPlainServer(replies);
  const heard: string[] = [];
  const call = modelCall(server.url, { on: { onNotice: (text) => void heard.push(text) } });
  const outcomes = [];
  for (const _ of replies) outcomes.push(await askModel(letters, call));
  return { outcomes, heard, requests: server.requests };
}

describe("a protocol is a row", () => {
  it("of which nothing may be left out", () => {
    expect(NONE_IS_OPTIONAL).toBe(true);
  });

  it("decoder: the events of a stream become an answer, and what goes back is kept with who gave it", async () => {
    const stream = {
      type: "text/event-stream",
      body: events({ line: "Dear " }, { line: "you" }, { call: "LS" }, { done: 1 }),
    };
    const { outcomes } = await post(stream);
    expect(outcomes).toEqual([
      {
        end: "answered",
        value: {
          content: "Dear you",
          tool_calls: [{ id: "c", type: "function", index: 0, function: { name: "LS", arguments: "{}" } }],
          finish_reason: "stop",
          vendorData: { from: expect.stringContaining("m1"), fields: { sealed: true } },
        },
      },
    ]);
  });

  it("decoder: so does an answer in one piece, and nothing else", async () => {
    const { outcomes } = await post({ body: '{"line":"short"}' }, { body: '{"other":1}' });
    expect(outcomes).toMatchObject([
      { end: "answered", value: { content: "short" } },
      { end: "failed", error: { kind: "bad-request" } },
    ]);
  });

  it("answerUrl, headers, encode: say what is sent where, and by whom", async () => {
    const { requests } = await post({ body: '{"line":"x"}' });
    expect(requests).toMatchObject([
      {
        method: "POST",
        url: "/post",
        headers: { "x-stamp": "sk-secret-4711" },
        body: { to: "m1", lines: ['user: "hello"'] },
      },
    ]);
  });

  it("adaptations: change the request after a refusal", async () => {
    const { requests, outcomes, heard } = await post(
      { status: 400, body: '{"error":{"message":"speak up"}}' },
      { body: '{"line":"x"}' },
    );
    expect(outcomes).toMatchObject([{ retry: { again: "at-once" } }, { end: "answered" }]);
    expect(requests.map(({ body }) => asRecord(body)?.["loud"])).toEqual([undefined, true]);
    expect(heard).toEqual([expect.stringContaining("from now on Wave shouts.")]);
  });

  it("errorIn: says what went wrong in the middle of an answer, in the server's words", async () => {
    const stream = { type: "text/event-stream", body: events({ line: "Dear" }, { torn: "the paper tore" }) };
    const { outcomes } = await post(stream);
    expect(outcomes).toMatchObject([
      { error: { kind: "broken-stream", message: expect.stringContaining("the paper tore") } },
    ]);
  });

  it("waitMs: says how long a server wants to be left alone", async () => {
    const { outcomes } = await post({ status: 429, body: "after lunch" });
    expect(outcomes).toMatchObject([{ error: { retryAfterMs: 3_600_000 }, retry: { again: "no" } }]);
  });

  it("modelsUrl, listed: say which models there are", async () => {
    await using server = await startPlainServer([{ body: '{"readers":"ann bob"}' }]);
    const { target } = modelCall(server.url);
    expect(await askForModels(letters, target, undefined)).toEqual({
      end: "answered",
      value: [
        { name: "ann", contextSize: 7 },
        { name: "bob", contextSize: 7 },
      ],
    });
    expect(server.requests).toMatchObject([{ method: "GET", url: "/readers" }]);
  });

  it("has a test here for each of its obligations", () => {
    const text = readFileSync(fileURLToPath(import.meta.url), "utf8");
    const titles = [...text.matchAll(/^ {2}it\("([\w, ]+):/gm)].flatMap(([, names = ""]) =>
      names.split(", "),
    );
    expect([...new Set(titles), "name"].sort()).toEqual(Object.keys(letters).sort());
  });
});

describe("every protocol of Wave", () => {
  it.each(PROTOCOL_NAMES)("%s has the name under which it is found", async (name) => {
    expect((await PROTOCOLS[name]()).name).toBe(name);
  });

  it("is asked for by name only where providers are listed, and its files are used only by its row", () => {
    const src = fileURLToPath(new URL("../../../src", import.meta.url));
    const files = readdirSync(src, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => ({ name: relative(src, join(src, name)), text: readFileSync(join(src, name), "utf8") }));
    const naming = files
      .filter(({ name }) => !/^(model\/protocols|testing)\//.test(name))
      .filter(({ text }) => PROTOCOL_NAMES.some((protocol) => text.includes(`"${protocol}"`)));
    expect(naming.map(({ name }) => name).sort()).toEqual(MAY_NAME);

    const reaching = files.filter(
      ({ name, text }) => !name.startsWith("model/protocols/") && /protocols\/\w+\//.test(text),
    );
    expect(reaching.map(({ name }) => name)).toEqual([]);
  });
});

/** Data that says which server speaks what. */
const MAY_NAME = ["utils/modelProviders.ts", "utils/protocolNames.ts"];
