import { appendFileSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addToHistory, historyFile, readHistory } from "../../src/input/history.ts";
import { makeProject } from "../support/project.ts";

const at = new Date("2026-01-02T03:04:05Z");

describe("the history of prompts", () => {
  it("survives, oldest first, with line breaks and every character", () => {
    using project = makeProject();
    const prompts = ["first", "two\nlines", '"quotes" \\ 日本 👩‍👩‍👧 \u0000\u001b', "last"];
    for (const prompt of prompts) expect(addToHistory(project.home, prompt, at)).toBeUndefined();
    expect(readHistory(project.home)).toEqual({ prompts });
  });

  it("is empty where there is none", () => {
    using project = makeProject();
    expect(readHistory(project.home)).toEqual({ prompts: [] });
  });

  it("can be read by nobody else, also when the file was there before with another mode", () => {
    using project = makeProject();
    const home = join(project.home, "new");
    addToHistory(home, "secret", at);
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(statSync(historyFile(home)).mode & 0o777).toBe(0o600);
    writeFileSync(historyFile(project.home), "", { mode: 0o644 });
    addToHistory(project.home, "secret", at);
    expect(statSync(historyFile(project.home)).mode & 0o777).toBe(0o600);
  });

  it("passes over half a line and lines that are no prompts, and loses nothing around them", () => {
    using project = makeProject();
    addToHistory(project.home, "before", at);
    appendFileSync(historyFile(project.home), 'null\n{"text":7}\nnot json\n{"at":"2026","text":"cut in ha');
    addToHistory(project.home, "after", at);
    expect(readHistory(project.home).prompts).toEqual(["before", "after"]);
    expect(readFileSync(historyFile(project.home), "utf8").endsWith('"text":"after"}\n')).toBe(true);
  });

  it("gives back the last 500 and each only once in a row", () => {
    using project = makeProject();
    const lines = Array.from(
      { length: 1_200 },
      (_, index) => `{"at":"","text":"p${Math.floor(index / 2)}"}\n`,
    );
    writeFileSync(historyFile(project.home), lines.join(""));
    const { prompts } = readHistory(project.home);
    expect(prompts).toHaveLength(500);
    expect([prompts[0], prompts.at(-1)]).toEqual(["p100", "p599"]);
  });

  it("reads a bounded end of a file that has grown for years", () => {
    using project = makeProject();
    const line = `${JSON.stringify({ at: "", text: "x".repeat(1_000_000) })}\n`;
    writeFileSync(historyFile(project.home), `${line.repeat(12)}{"at":"","text":"newest"}\n`);
    const { prompts } = readHistory(project.home);
    expect(prompts.at(-1)).toBe("newest");
    expect(prompts.every((prompt) => prompt === "newest" || prompt.length === 1_000_000)).toBe(true);
  });

  it("says in one sentence that it cannot be written or read", () => {
    using project = makeProject();
    mkdirSync(historyFile(project.home));
    const file = historyFile(project.home);
    expect(addToHistory(project.home, "x", at)).toBe(
      `This prompt will not be remembered: ${file} cannot be written (EISDIR).`,
    );
    expect(readHistory(project.home)).toEqual({
      prompts: [],
      problem: `Earlier prompts are not there: ${file} cannot be read (EISDIR).`,
    });
  });

  it("is not written through a link that somebody planted", () => {
    using project = makeProject();
    const other = project.write("other.txt", "mine\n");
    symlinkSync(other, historyFile(project.home));
    expect(addToHistory(project.home, "x", at)).toContain("cannot be written (ELOOP)");
    expect(readFileSync(other, "utf8")).toBe("mine\n");
  });
});
