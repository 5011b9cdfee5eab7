import type { AgentOptions } from "wave-agent-sdk";
import type { SessionFlags } from "../cli/args.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import type { ModelChoice } from "./model.ts";
import { waveHome } from "./places.ts";

/** What the flags of a session mean to an agent, in print mode and on the screen alike. */
export function agentOptions(flags: SessionFlags, model: ModelChoice, around: Surroundings): AgentOptions {
  return {
    workdir: around.cwd,
    env: around.env,
    waveHome: waveHome(around.env),
    ...model,
    ...(flags.permissionMode === undefined ? {} : { permissionMode: flags.permissionMode }),
    ...(flags.allow.length + flags.deny.length === 0
      ? {}
      : { permissions: { allow: flags.allow, deny: flags.deny } }),
    ...(flags.maxTurns === undefined ? {} : { maxTurns: flags.maxTurns }),
    ...(flags.resume === undefined ? {} : { resume: flags.resume, fork: flags.fork }),
    hookScope: flags.hookScope,
    ...(flags.trustHooks === undefined ? {} : { trust: { sha256: flags.trustHooks } }),
    ...(flags.allowSelfConfig ? { allowSelfConfig: true } : {}),
    ...(flags.mcpFile === undefined ? {} : { mcpFile: flags.mcpFile }),
    ...(flags.pluginDirs.length === 0 ? {} : { plugins: flags.pluginDirs }),
    ...(flags.settingsFile === undefined ? {} : { settingsFile: flags.settingsFile }),
  };
}
