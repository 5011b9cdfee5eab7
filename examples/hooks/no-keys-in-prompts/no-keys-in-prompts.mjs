#!/usr/bin/env node
// UserPromptSubmit: a prompt with a key in it goes nowhere, neither to the model nor into the session file.
import { readFileSync } from "node:fs";

const KEYS = [
  ["a private key", /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ["an AWS access key", /\bAKIA[0-9A-Z]{16}\b/],
  ["a GitHub token", /\bgh[pousr]_[A-Za-z0-9]{36,}/],
  ["an API key", /\bsk-[A-Za-z0-9_-]{20,}/],
];

const { prompt } = JSON.parse(readFileSync(0, "utf8"));
const found = KEYS.filter(([, pattern]) => pattern.test(prompt)).map(([name]) => name);

if (found.length > 0) {
  const reason = `The prompt seems to hold ${found.join(" and ")}. It was not sent; take it out, and name a variable instead.`;
  console.log(JSON.stringify({ decision: "block", reason }));
}
