import type { HookExample } from "../../support/hookExample.ts";

const project = { "migrations/001.sql": "create table a;\n", "src/app.ts": "export {};\n" };
const bash = (command: string) => ({ call: { name: "Bash", arguments: { command } } });

export const example: HookExample = {
  needs: ["node"],
  scenes: [
    {
      title: "no tool and no command changes a guarded folder",
      project,
      setUp: "ln -s migrations notes",
      model: [
        { call: { name: "Write", arguments: { file_path: "migrations/002.sql", content: "drop table a;" } } },
        { call: { name: "Write", arguments: { file_path: "notes/001.sql", content: "drop table a;" } } },
        bash("echo 'drop table a;' > migrations/001.sql"),
        bash("cd migrations && sed -i s/create/drop/ 001.sql"),
        bash("bash -c 'rm -rf migrations'"),
        bash("mv migrations away"),
        bash("cp src/app.ts notes/"),
        { say: "The migrations stay." },
      ],
      expect: {
        calls: [
          { ran: false, result: "migrations/002.sql is guarded" },
          { ran: false, result: "notes/001.sql is guarded" },
          { ran: false, result: "migrations/001.sql is guarded" },
          { ran: false, result: "migrations/001.sql is guarded" },
          { ran: false, result: "migrations is guarded" },
          { ran: false, result: "migrations is guarded" },
          { ran: false, result: "is guarded" },
        ],
        files: { "migrations/001.sql": "create table a;\n" },
      },
    },
    {
      title: "reading it, and working elsewhere, is nobody's concern",
      project,
      model: [
        bash("cat migrations/001.sql"),
        bash("mkdir -p build && cp src/app.ts build/"),
        { call: { name: "Write", arguments: { file_path: "src/new.ts", content: "export {};\n" } } },
        { say: "Done." },
      ],
      expect: {
        calls: [{ ran: true, result: "create table a;" }, { ran: true }, { ran: true }],
        files: { "build/app.ts": "export {};\n" },
      },
    },
    {
      title: "a person looks at a command of which not every file is known",
      project: { ...project, "make.mjs": "console.log('made');\n" },
      person: "allow",
      model: [bash("node make.mjs"), { say: "Made." }],
      expect: { calls: [{ ran: true, result: "made" }] },
    },
    {
      title: "where nobody can look, such a command does not run",
      project: { ...project, "make.mjs": "console.log('made');\n" },
      model: [bash("node make.mjs"), { say: "Then not." }],
      expect: {
        calls: [{ ran: false, result: "This command may change files in migrations or generated." }],
      },
    },
  ],
};
