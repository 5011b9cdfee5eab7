import { describe, expect, it } from "vitest";
import { readPrompt, type PromptInput } from "../../src/app/readPrompt.ts";

const prompt = (text: string): PromptInput => ({ kind: "prompt", text });

const rows: [text: string, read: PromptInput][] = [
  ["fix it", prompt("fix it")],
  ["  fix it\n", prompt("  fix it\n")],
  ["/hooks why", { kind: "command", command: "hooks", argument: "why" }],
  ["/help", { kind: "command", command: "help", argument: "" }],
  ["/hepl", { kind: "unknown-command", name: "hepl" }],
  ["/usr/bin/env is a path", prompt("/usr/bin/env is a path")],
  ["/constructor", { kind: "unknown-command", name: "constructor" }],

  ["!ls", { kind: "shell", command: "ls" }],
  ["! ls -la ", { kind: "shell", command: "ls -la" }],
  ["!cd a\nls", { kind: "shell", command: "cd a\nls" }],
  ["!!", { kind: "shell", command: "!" }],
  ["!", { kind: "nothing", hint: expect.stringContaining("a command behind the !") }],
  ["!  ", { kind: "nothing", hint: expect.stringContaining("a command behind the !") }],
  [" !ls", prompt(" !ls")],
  ["what does !ls do", prompt("what does !ls do")],

  ["#use tabs", { kind: "note", note: "use tabs" }],
  ["# use tabs ", { kind: "note", note: "use tabs" }],
  ["#!/bin/sh is not enough", { kind: "note", note: "!/bin/sh is not enough" }],
  ["# ", { kind: "nothing", hint: expect.stringContaining("a note behind the #") }],
  ["#", prompt("#")],
  ["##", prompt("##")],
  ["## Title", prompt("## Title")],
  ["# Title\n\nand a text", prompt("# Title\n\nand a text")],
  ["# Title\n", prompt("# Title\n")],
  ["#\nnote", prompt("#\nnote")],
  ["# Title\r\ntext", prompt("# Title\r\ntext")],
  [" #note", prompt(" #note")],
  ["fix #12", prompt("fix #12")],
];

describe("what is typed", () => {
  it.each(rows)("%j is read", (text, expected) => {
    expect(readPrompt(text)).toEqual(expected);
  });
});
