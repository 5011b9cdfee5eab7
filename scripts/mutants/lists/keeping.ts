import type { Mutant } from "../mutant.ts";

const FILE = "packages/agent-sdk/tests/session/file/sessionFile";
const SESSION = [FILE, "packages/agent-sdk/tests/session/file/sessionDisk"];

/** What is on disk: sessions, locks, approvals, and what a killed Wave leaves. */
export const KEEPING_MUTANTS: readonly Mutant[] = [
  {
    in: "session/file/sessionFile.ts",
    from: 'if (this.#state === "doubtful") this.#goOnInNewFile();',
    to: "",
    tests: SESSION,
  },
  {
    in: "session/file/sessionFile.ts",
    from: "if (this.#takeBackTo !== undefined) this.#takeBack(this.#takeBackTo);",
    to: "",
    tests: SESSION,
  },
  {
    in: "session/file/sessionFile.ts",
    from: "if (sync) this.#sync();",
    to: "",
    tests: ["packages/agent-sdk/tests/session/sync", "packages/agent-sdk/tests/session/file/"],
  },
  {
    in: "session/file/sessionFile.ts",
    from: '      this.#state = "doubtful";\n',
    to: "",
    tests: SESSION,
  },
  {
    in: "session/file/sessionFile.ts",
    from: 'if (stat.nlink === 0) return "gone";',
    to: "",
    tests: [FILE],
  },
  {
    in: "session/file/sessionFile.ts",
    from: 'if (!isSameFile(named, stat)) return "replaced";',
    to: "",
    tests: [FILE],
  },
  {
    in: "session/file/sessionFile.ts",
    from: "O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, PRIVATE_FILE",
    to: "O_RDWR | O_APPEND | O_CREAT, PRIVATE_FILE",
    tests: ["packages/agent-sdk/tests/session/file/"],
  },
  {
    in: "session/file/sessionFile.ts",
    from: "if ((stat.mode & 0o777) !== PRIVATE_FILE) fchmodSync(this.#fd, PRIVATE_FILE);",
    to: "",
    tests: ["packages/agent-sdk/tests/session/file/", "packages/agent-sdk/tests/services/session"],
  },
  {
    in: "workspace/files/lockHolder.ts",
    from: 'if (holder.host !== hostname() || holder.pids !== pidNamespace()) return "elsewhere";',
    to: 'if (holder.host !== hostname()) return "elsewhere";',
    tests: ["packages/agent-sdk/tests/session/file/sessionLock"],
  },
  {
    in: "workspace/files/lockHolder.ts",
    from: 'return stat.started === holder.started && !["Z", "X"].includes(stat.state) ? "alive" : "dead";',
    to: 'return !["Z", "X"].includes(stat.state) ? "alive" : "dead";',
    tests: ["packages/agent-sdk/tests/session/file/sessionLock"],
  },
  {
    in: "workspace/files/lockHolder.ts",
    from: 'return errorCode(error) === "EPERM";',
    to: "return false;",
    tests: ["packages/agent-sdk/tests/session/file/sessionLock"],
    survives: "only a process of another user shows it, and the tests start none",
  },
  {
    in: "messages/repair.ts",
    from: "...(started.has(toolId) ? INTERRUPTED : NOT_STARTED)",
    to: "...NOT_STARTED",
    tests: ["packages/agent-sdk/tests/messages/"],
  },
  {
    in: "messages/repair.ts",
    from: "tools.every((tool) => tool.id !== id || tool.result !== undefined)",
    to: "tools.some((tool) => tool.result !== undefined)",
    tests: ["packages/agent-sdk/tests/messages/"],
  },
  {
    in: "messages/foldSession.ts",
    from: "    this.#started.delete(id);\n",
    to: "",
    tests: ["packages/agent-sdk/tests/messages/"],
  },
  {
    in: "messages/foldSession.ts",
    from: "if (cutShort && cutShort.id !== message.id) this.#addMessage(cutShort);",
    to: "",
    tests: ["packages/agent-sdk/tests/messages/"],
  },
  {
    in: "messages/foldSession.ts",
    from: "if (slot !== undefined) this.#slots.fill(undefined, slot);",
    to: "",
    tests: ["packages/agent-sdk/tests/messages/"],
  },
  {
    in: "workspace/trust/store.ts",
    from: "if (own === null) return { folder: undefined };",
    to: "",
    tests: [
      "packages/agent-sdk/tests/workspace/trust/trust",
      "packages/agent-sdk/tests/workspace/trust/worktree",
    ],
  },
  {
    in: "workspace/trust/store.ts",
    from: "if (wasRevoked(home, projectDir)) {",
    to: "if (Number.isNaN(1)) {",
    tests: ["packages/agent-sdk/tests/workspace/trust/", "packages/agent-sdk/tests/gate/allowRule"],
  },
  {
    in: "workspace/trust/store.ts",
    from: "folder?.since !== undefined && isWorktreeOf(path, key)",
    to: "isWorktreeOf(path, key)",
    tests: ["packages/agent-sdk/tests/workspace/trust/worktree"],
  },
  {
    in: "workspace/trust/store.ts",
    from: "return problem === undefined ? findTrust(folders, trustKeyOf(projectDir)) : { folder: undefined, problem };",
    to: "return findTrust(folders, trustKeyOf(projectDir));",
    tests: ["packages/agent-sdk/tests/workspace/trust/trust"],
  },
  {
    in: "workspace/trust/store.ts",
    from: "    return realpathSync(projectDir);\n",
    to: "    return projectDir;\n",
    tests: ["packages/agent-sdk/tests/workspace/trust/trust"],
  },
];
