import type { HookExample } from "../../support/hookExample.ts";

const write = (content: string) => ({
  call: { name: "Write", arguments: { file_path: "config.json", content } },
});

export const example: HookExample = {
  needs: ["bash", "jq"],
  scenes: [
    {
      title: "the file is formatted, the model hears of it, and its next edit fits",
      model: [
        write('{"port":80,"host":"a"}'),
        {
          call: {
            name: "Edit",
            arguments: { file_path: "config.json", old_string: '  "port": 80', new_string: '"port":   81' },
          },
        },
        { say: "The port is 81." },
      ],
      expect: {
        calls: [{ ran: true }, { ran: true }],
        toModel: ["config.json was changed after your edit"],
        files: { "config.json": '{\n  "port": 81,\n  "host": "a"\n}\n' },
      },
    },
    {
      title: "what cannot be formatted is told to the model at once",
      model: [write('{"port":80,'), write('{"port":80}'), { say: "Repaired." }],
      expect: {
        calls: [{ ran: true }, { ran: true }],
        toModel: ["config.json is not valid JSON, repair it"],
        files: { "config.json": '{\n  "port": 80\n}\n' },
      },
    },
  ],
};
