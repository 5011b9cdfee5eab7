import type { HookExample } from "../../support/hookExample.ts";

const test = `import assert from "node:assert";
import { test } from "node:test";
import { add } from "./add.mjs";

test("one and one make two", () => assert.equal(add(1, 1), 2));
`;

export const example: HookExample = {
  needs: ["bash"],
  scenes: [
    {
      title: "the agent finishes when the tests pass, and not before",
      project: { "add.test.mjs": test, "add.mjs": "export const add = (a, b) => a - b;\n" },
      model: [
        { call: { name: "Read", arguments: { file_path: "add.mjs" } } },
        { say: "It looks finished." },
        {
          call: {
            name: "Edit",
            arguments: { file_path: "add.mjs", old_string: "a - b", new_string: "a + b" },
          },
        },
        { say: "Now it is." },
      ],
      expect: {
        calls: [{ ran: true }, { ran: true }],
        toModel: ["The tests fail (node --test).", "one and one make two"],
      },
    },
    {
      title: "nothing is said about tests that pass",
      project: { "add.test.mjs": test, "add.mjs": "export const add = (a, b) => a + b;\n" },
      model: [{ say: "Nothing to do." }],
      expect: { notToModel: ["The tests"] },
    },
  ],
};
