import { personHome } from "../personHome.ts";
import { SettingsError } from "../../errors.ts";
import { modeForApproved } from "../../permissions/sandboxModes.ts";
import type { RunRegister } from "../../process/runRegister.ts";
import { findBubblewrap } from "./bubblewrap.ts";
import { Sandbox } from "./sandbox.ts";
import type { Configuration } from "../configuration.ts";
import { ProtectedFiles } from "../protectedFiles.ts";

/**
 * The configuration with the sandbox it asks for, tried once. Throws SettingsError where it is required and cannot be had:
 * nothing runs unguarded because a program is missing (G65). `isShown`: a person sees how the session begins.
 */
export async function withSandbox(
  configuration: Configuration,
  register: RunRegister,
  { isShown }: { isShown: boolean } = { isShown: false },
): Promise<Configuration> {
  const { projectDir, env, settings, hooks, home, settingsFiles } = configuration;
  const wanted = settings.sandbox;
  const guarded = hooks.filter((hook) => hook.sandbox !== undefined && hook.sandbox !== "off");
  if (modeForApproved(wanted.mode) === "off" && guarded.length === 0) {
    const notices =
      wanted.mode === "off" || !isShown ? [] : fewerQuestions({ ...env, ...settings.env }, projectDir);
    return { ...configuration, notices: [...configuration.notices, ...notices] };
  }

  const files = new ProtectedFiles({
    projectDir,
    home: personHome(env),
    waveHome: home,
    settingsFiles,
    hooks: () => hooks,
    path: settings.env["PATH"] ?? env["PATH"],
  });
  const own = () => files.own.map(({ path }) => path);
  const sandbox = await Sandbox.open(wanted, {
    projectDir,
    env: { ...env, ...settings.env },
    own,
    register,
  });
  const notices: Configuration["notices"] = sandbox.problems.map((text) => ({ level: "warning", text }));
  const { availability } = sandbox;
  if (availability.is === "missing") {
    sandbox.close({ isShared: false });
    const { why } = availability;
    if (wanted.mode === "required") throw new SettingsError([refusal(wanted.from, why)]);
    if (wanted.mode === "auto")
      notices.push({ level: "warning", text: `commands run without a sandbox, which cannot be had: ${why}` });
    const names = guarded.filter((hook) => hook.sandbox === "required").map(({ name }) => name);
    if (names.length > 0)
      notices.push({
        level: "error",
        text: `hooks that require a sandbox cannot decide, since it cannot be had: ${names.join(", ")}; ${why}`,
      });
  }
  return { ...configuration, sandbox, notices: [...configuration.notices, ...notices] };
}

/** Whether it works is found out at the first command; that it is missing is seen at once. */
function fewerQuestions(env: Configuration["env"], projectDir: string): Configuration["notices"] {
  const found = findBubblewrap(env["PATH"], [projectDir]);
  if (found.is === "there" || process.platform !== "linux") return [];
  return [
    {
      level: "info",
      text: `to be asked less: ${found.why}; then commands that read run where they can do nothing else`,
    },
  ];
}

const refusal = (from: string, why: string) =>
  `${from}: the sandbox is required and cannot be had: ${why}; or set "sandbox" to "auto" or "off" there`;
