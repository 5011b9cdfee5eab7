import type { HookExample } from "../../support/hookExample.ts";

const write = (content: string) => ({
  call: { name: "Write", arguments: { file_path: "all.ts", content } },
});

export const example: HookExample = {
  needs: ["python3"],
  scenes: [
    {
      title: "too many lines, or too many bytes, are not written",
      model: [
        write("export {};\n".repeat(401)),
        write("é".repeat(40_000)),
        write("export {};\n".repeat(400)),
        { say: "In smaller steps, then." },
      ],
      expect: {
        calls: [
          { ran: false, result: "401 lines and 4411 bytes in one go" },
          { ran: false, result: "1 lines and 80000 bytes in one go" },
          { ran: true },
        ],
      },
    },
    {
      title: "edits are counted together",
      project: { "two.ts": "first\nsecond\n" },
      model: [
        { call: { name: "Read", arguments: { file_path: "two.ts" } } },
        {
          call: {
            name: "MultiEdit",
            arguments: {
              file_path: "two.ts",
              edits: [
                { old_string: "first", new_string: "x\n".repeat(300) },
                { old_string: "second", new_string: "y\n".repeat(300) },
              ],
            },
          },
        },
        { say: "One at a time." },
      ],
      expect: {
        calls: [{ ran: true }, { ran: false, result: "600 lines" }],
        files: { "two.ts": "first\nsecond\n" },
      },
    },
  ],
};
