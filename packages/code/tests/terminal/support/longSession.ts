import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sessionsDirFor } from "wave-agent-sdk";
import type { Project } from "../../support/project.ts";

const ID = "01900000-0000-7000-8000-000000000001";

/** An earlier session of so many messages, as Wave writes them: a question, a call with its result, an answer, and so on. */
export function writeSession(project: Pick<Project, "home" | "folder">, messages: number): string {
  const folder = sessionsDirFor(project.home, project.folder);
  const ts = "2026-01-01T00:00:00.000Z";
  const lines: object[] = [{ type: "header", version: 1, id: ID, cwd: project.folder }];
  const edit = (one: object) => lines.push({ type: "edit", edit: one });
  for (let number = 1; number <= messages; number++) {
    const id = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
    const add = (role: string, blocks: object[]) =>
      edit({ edit: "add-message", message: { id, role, blocks } });
    if (number % 4 === 1) add("user", [{ type: "text", content: `question ${number}` }]);
    else if (number % 4 === 2) {
      const tool = `call_${number}`;
      const parameters = JSON.stringify({ command: `echo ${number}` });
      add("assistant", [{ type: "tool", id: tool, name: "Bash", parameters, stage: "pending" }]);
      edit({ edit: "update-tool", toolId: tool, changes: { stage: "running" } });
      const result = `${number}\n${"output ".repeat(20)}`;
      edit({ edit: "update-tool", toolId: tool, changes: { stage: "ended", result, success: true } });
    } else {
      const text = `answer ${number}: **${"some words of an answer ".repeat(10).trim()}**`;
      add("assistant", [{ type: "text", content: text }]);
      if (number % 4 === 0) lines.push({ type: "turn_ended", because: "done" });
    }
  }
  lines.push({ type: "ended", reason: "prompt_input_exit" });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const text = lines.map((line, index) => `${JSON.stringify({ v: 1, seq: index + 1, ts, ...line })}\n`);
  writeFileSync(join(folder, `${ID}.jsonl`), text.join(""), { mode: 0o600 });
  return ID;
}
