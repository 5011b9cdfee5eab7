import type { Invocation } from "../../cli/args.ts";

export type HooksInvocation = Extract<Invocation, { run: "hooks" }>;
