import type { Mutant } from "../mutant.ts";

const HOSTS = ["packages/agent-sdk/tests/permissions/hostRules"];
const READ_ONLY = ["packages/agent-sdk/tests/permissions/readOnlyPlan"];
const SUB_AGENTS = [
  "packages/agent-sdk/tests/gate/narrowedPolicy",
  "packages/agent-sdk/tests/conversation/twoConversations",
];
const HANDLERS = [
  "packages/agent-sdk/tests/session/handlerFields",
  "packages/agent-sdk/tests/hooks/plan",
  "packages/agent-sdk/tests/hooks/kinds/",
];

/** Where something ends: the hosts of a rule, the disk of a command that only reads, what a sub-agent may, when a hook runs. */
export const BOUNDARY_MUTANTS: readonly Mutant[] = [
  {
    in: "permissions/hostRules.ts",
    from: "return below ? isBelow(host, asked) : asked === host;",
    to: "return isBelow(host, asked) || asked === host;",
    tests: HOSTS,
  },
  {
    in: "permissions/hostRules.ts",
    from: "return asked === host || isBelow(host, asked);",
    to: "return asked === host;",
    tests: HOSTS,
  },
  {
    in: "permissions/hostRules.ts",
    from: "asked.endsWith(`.${host}`)",
    to: "asked.endsWith(host)",
    tests: HOSTS,
  },
  { in: "permissions/hostRules.ts", from: '    .replace(/\\.$/, "")\n', to: "", tests: HOSTS },
  {
    in: "permissions/readOnlyPlan.ts",
    from: "network: false, asRoot",
    to: "network: true, asRoot",
    tests: READ_ONLY,
  },
  {
    in: "permissions/readOnlyPlan.ts",
    from: "...place.hidden.filter(({ path }) => !isGone(path)), ",
    to: "",
    tests: READ_ONLY,
  },
  {
    in: "permissions/readOnlyPlan.ts",
    from: "onlyReads: true, startsEmpty",
    to: "onlyReads: false, startsEmpty",
    tests: READ_ONLY,
  },
  {
    in: "permissions/readOnlyPlan.ts",
    from: '...shown.map((path): Mount => ({ path, as: "read-only" })),',
    to: '...shown.map((path): Mount => ({ path, as: "writable" })),',
    tests: READ_ONLY,
  },
  {
    in: "gate/narrowedPolicy.ts",
    from: "MODES_BY_STRICTNESS.indexOf(parent) > MODES_BY_STRICTNESS.indexOf(own)",
    to: "MODES_BY_STRICTNESS.indexOf(parent) < MODES_BY_STRICTNESS.indexOf(own)",
    tests: SUB_AGENTS,
  },
  {
    in: "gate/narrowedPolicy.ts",
    from: "[...first.hidden(within), ...second.hidden(within)]",
    to: "[...second.hidden(within)]",
    tests: SUB_AGENTS,
  },
  {
    in: "gate/narrowedPolicy.ts",
    from: "first.searchFilter?.(path) ?? second.searchFilter?.(path)",
    to: "second.searchFilter?.(path)",
    tests: SUB_AGENTS,
  },
  {
    in: "gate/narrowedPolicy.ts",
    from: '[first, second].some((one) => one.bounds === "read-only")',
    to: '[first, second].every((one) => one.bounds === "read-only")',
    tests: SUB_AGENTS,
  },
  {
    in: "managers/hookManager.ts",
    from: "if (hook.once) this.#ranOnce.add(hookIdOf(hook));",
    to: "",
    tests: HANDLERS,
  },
  { in: "src/hooks/plan.ts", from: "    a.once === b.once &&\n", to: "", tests: HANDLERS },
  { in: "src/hooks/plan.ts", from: "    a.inBackground === b.inBackground &&\n", to: "", tests: HANDLERS },
];
