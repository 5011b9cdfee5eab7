import { canHaveIf } from "../hooks/condition.ts";
import { hookIdOf } from "../hooks/definition.ts";
import type { HookEvent } from "../hooks/events.ts";
import { planHooks, type HookPlan } from "../hooks/plan.ts";
import { planningFor } from "../hooks/planning.ts";
import { personHome } from "../workspace/personHome.ts";
import type { Settings } from "../workspace/settings/settings.ts";
import type { ProjectTrust } from "../workspace/trust/trust.ts";
import { builtInTools } from "../tools/index.ts";
import { absolutePath } from "../tools/paths.ts";
import { withAbsolutePaths } from "../conversation/turn/prepareCall.ts";
import { childEnvironment } from "../utils/environment.ts";
import { factsOf } from "./callFacts.ts";
import { hookView } from "./callView.ts";
import { openItems } from "../workspace/trust/projectTrust.ts";

export interface AskedAhead {
  event: HookEvent;
  /** What matchers are compared with: a tool, a source, a reason. */
  value: string | undefined;
  /** Of the call. Without it nobody can tell what an `if` would say, and it leaves no hook out. */
  input: Record<string, unknown> | undefined;
}

/** Which hooks a session would ask about this, and why not the others: by what a session goes by, without having one. */
export function planAhead(
  { event, value, input }: AskedAhead,
  around: {
    settings: Pick<Settings, "hooks" | "env">;
    trust: ProjectTrust;
    workdir: string;
    env: Readonly<Record<string, string | undefined>>;
  },
): HookPlan {
  const { settings, trust } = around;
  const { projectDir } = trust;
  const tools = builtInTools();
  const { env } = childEnvironment({ ...around.env, ...settings.env });
  const place = { projectDir, cwd: around.workdir, env };
  const facts = () => {
    const tool = tools.find(({ name }) => name === value);
    const given = withAbsolutePaths(input ?? {}, tool?.pathFields ?? [], (path) => absolutePath(path, place));
    return { tool_name: value, tool_input: given, ...hookView(factsOf(tool, given, place).seen, "model") };
  };
  const seen = input === undefined || !canHaveIf(event) ? undefined : facts();
  const unreviewed = new Set(
    openItems(trust).flatMap(({ item }) => (item.kind === "hook" ? [hookIdOf(item.hook)] : [])),
  );
  const knownTools = tools.map(({ name }) => name);
  const context = { base: projectDir, home: personHome(env) };
  return planHooks(event, value, settings.hooks, planningFor(seen, { knownTools, unreviewed, context }));
}
