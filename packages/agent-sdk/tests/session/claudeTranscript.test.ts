import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Message } from "@/messages/blocks.ts";
import { ClaudeTranscript } from "@/session/claudeTranscript.ts";
import { liveAgent } from "../support/liveAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";

interface Line {
  uuid: string;
  parentUuid: string | null;
  type: string;
  message?: { id?: string; content: unknown };
  [field: string]: unknown;
}

const linesOf = (file: string): Line[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** "user: text", "assistant: tool_use", … */
const told = (lines: readonly Line[]): string[] =>
  lines.map(({ type, message, subtype }) => {
    const content = message?.content;
    const part: unknown = Array.isArray(content) ? content[0] : content;
    const text = typeof part === "object" && part !== null && "type" in part ? part.type : part;
    return `${type}: ${String(text ?? subtype)}`;
  });

describe("a hook that was written for Claude Code", () => {
  it("reads the conversation up to its event in Claude's shape; one of Wave's reads Wave's own (SPEC 6)", async () => {
    using folder = tempFolder();
    const project = join(folder.path, "project");
    mkdirSync(join(project, ".claude"), { recursive: true });
    // As a script would: find the file, and keep what is in it now.
    const script = `const input = JSON.parse(require("fs").readFileSync(0));
      require("fs").appendFileSync("seen.jsonl", JSON.stringify({ event: input.hook_event_name, path: input.transcript_path,
        session: input.session_id, text: require("fs").readFileSync(input.transcript_path, "utf8") }) + "\\n");`;
    writeFileSync(join(project, "keep.cjs"), script);
    const hook = [{ hooks: [{ type: "command", command: `'${process.execPath}' keep.cjs` }] }];
    const events = ["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"];
    const hooks = Object.fromEntries(events.map((event) => [event, hook]));
    writeFileSync(join(project, ".claude", "settings.json"), JSON.stringify({ hooks }));
    const bash = { call: { name: "Bash", arguments: { command: "echo 42" } } };
    await using live = await liveAgent(folder.path, [bash, { say: "done" }], {
      settings: { hooks: { SessionStart: [{ hooks: [{ type: "command", command: "cat >own" }] }] } },
    });
    await live.agent.sendMessage("go");

    const seen: { event: string; path: string; session: string; text: string }[] = linesOf(
      join(project, "seen.jsonl"),
    ) as never;
    expect(seen.map(({ event }) => event)).toEqual(events);
    const at = seen.map(({ text }) =>
      told(
        text
          .split("\n")
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Line),
      ),
    );
    // The prompt that is being judged is in no file yet (FR-010).
    expect(at).toEqual([
      [],
      ["user: go", "assistant: tool_use"],
      ["user: go", "assistant: tool_use", "user: tool_result"],
      ["user: go", "assistant: tool_use", "user: tool_result", "assistant: text"],
    ]);
    const [first] = seen;
    const lines = linesOf(first?.path ?? "");
    // Scripts take the session's id from the file's name, and follow the chain of lines.
    expect(basename(first?.path ?? "", ".jsonl")).toBe(first?.session);
    expect(lines.map(({ parentUuid }) => parentUuid)).toEqual([
      null,
      ...lines.slice(0, -1).map(({ uuid }) => uuid),
    ]);
    expect(lines[0]).toMatchObject({ sessionId: first?.session, cwd: project, isSidechain: false });
    expect(lines[1]?.message?.content).toMatchObject([{ name: "Bash", input: { command: "echo 42" } }]);
    expect(lines[2]?.message?.content).toMatchObject([{ content: "42", is_error: false }]);
    expect(statSync(first?.path ?? "").mode & 0o777).toBe(0o600);
    const own = JSON.parse(readFileSync(join(project, "own"), "utf8")) as { transcript_path: string };
    expect(linesOf(own.transcript_path)[0]).toMatchObject({ type: "header" });
  });
});

describe("the transcript in Claude's shape", () => {
  const user = (id: string, content: string): Message => ({
    id,
    role: "user",
    blocks: [{ type: "text", content }],
  });
  const call = (stage: "pending" | "ended"): Message => ({
    id: "answer",
    role: "assistant",
    blocks: [
      { type: "reasoning", content: "hm" },
      { type: "text", content: "I look." },
      {
        type: "tool",
        id: "t1",
        name: "Read",
        parameters: '{"file_path":"a"}',
        stage,
        ...(stage === "ended" && { result: "gone", success: false }),
      },
      { type: "warn", content: "for the person" },
    ],
    usage: { inputTokens: 100, outputTokens: 5, cachedInputTokens: 60 },
  });

  function stage(folder: string) {
    const said: string[] = [];
    let messages: Message[] = [];
    const transcript = new ClaudeTranscript({
      file: join(folder, "claude", "s.jsonl"),
      sessionId: "s",
      messages: () => messages,
      cwd: () => "/project",
      model: () => "some-model",
      now: () => new Date(0),
      tell: (text) => said.push(text),
    });
    const after = (...now: Message[]) => {
      messages = now;
      return linesOf(transcript.upToDate());
    };
    return { after, transcript, said };
  }

  it("grows by what is new, and keeps the lines that it has", () => {
    using folder = tempFolder();
    const { after } = stage(folder.path);
    const prompt = user("p", "go");
    const before = after(prompt, call("pending"));
    expect(told(before)).toEqual([
      "user: go",
      "assistant: thinking",
      "assistant: text",
      "assistant: tool_use",
    ]);
    expect(new Set(before.slice(1).map(({ message }) => message?.id)).size).toBe(1);
    expect(before[3]?.message).toMatchObject({
      model: "some-model",
      usage: { input_tokens: 40, cache_read_input_tokens: 60, output_tokens: 5 },
    });
    const later = after(prompt, call("ended"), user("q", "more"));
    expect(later.slice(0, 4)).toEqual(before);
    expect(told(later.slice(4))).toEqual(["user: tool_result", "user: more"]);
    expect(later[4]?.message?.content).toMatchObject([
      { tool_use_id: "t1", content: "gone", is_error: true },
    ]);
  });

  it("is written anew when messages are gone, and names summaries and what hooks said", () => {
    using folder = tempFolder();
    const { after } = stage(folder.path);
    after(user("p", "one"), user("q", "two"));
    expect(told(after(user("p", "one")))).toEqual(["user: one"]);
    const summary: Message = {
      id: "s",
      role: "user",
      blocks: [
        { type: "summary", content: "so far", keeps: [], covers: 1, askedBy: "person", tokensBefore: 9 },
      ],
    };
    const hook: Message = {
      id: "h",
      role: "user",
      blocks: [{ type: "hook", hookEvent: "Stop", content: "look again" }],
    };
    const shell: Message = {
      id: "b",
      role: "user",
      origin: { ranBy: "person" },
      blocks: [
        { type: "tool", id: "t", name: "Bash", parameters: '{"command":"ls"}', stage: "ended", result: "a" },
      ],
    };
    const lines = after(user("p", "one"), summary, hook, shell);
    expect(told(lines)).toEqual([
      "user: one",
      "system: compact_boundary",
      "user: so far",
      "user: look again",
      "user: <bash-input>ls</bash-input>",
      "user: <bash-stdout>a</bash-stdout>",
    ]);
    expect(lines[1]).toMatchObject({ compactMetadata: { trigger: "manual", preTokens: 9 } });
    expect(lines[2]).toMatchObject({ isCompactSummary: true });
    expect(lines[3]).toMatchObject({ isMeta: true });
  });

  it("is told once when it cannot be written", () => {
    using folder = tempFolder();
    writeFileSync(join(folder.path, "claude"), "a file is in the way");
    const { transcript, said } = stage(folder.path);
    transcript.upToDate();
    transcript.upToDate();
    expect(said).toEqual([expect.stringContaining("cannot be written")]);
  });
});
