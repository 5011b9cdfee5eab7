import { relative, sep } from "node:path";
import type { ProjectSetting } from "../../hooks/fingerprint.ts";
import { describeServer } from "../../hooks/mcpServers.ts";
import type { NamedServer } from "./mcpServers.ts";

/** The part of a project's file that counts only after a yes, beside hooks and rules. */
interface ProjectLayer {
  file: string;
  model: string | undefined;
  contextSize: number | undefined;
  env: [name: string, value: string][];
  mcpServers: NamedServer[];
}

/** Each value of the file as something to approve, with the part of the file that it stands for. */
export function settingsOfLayer(
  { file, model, contextSize, env, mcpServers }: ProjectLayer,
  projectDir: string,
): { setting: ProjectSetting; part: Partial<ProjectLayer> }[] {
  const path = relative(projectDir, file).split(sep).join("/");
  return [
    ...(model === undefined
      ? []
      : [{ setting: { name: "model", says: `model ${model}`, path }, part: { model } }]),
    ...(contextSize === undefined
      ? []
      : [
          {
            setting: { name: "contextSize", says: `contextSize ${contextSize}`, path },
            part: { contextSize },
          },
        ]),
    ...env.map(([name, value]) => ({
      setting: { name: `env ${name}`, says: `env ${name}=${value}`, path },
      part: { env: [[name, value]] satisfies [string, string][] },
    })),
    ...mcpServers.map((server) => ({
      setting: {
        name: `MCP server ${server.name}`,
        says: `MCP server ${server.name}: ${describeServer(server.config)}`,
        path,
      },
      part: { mcpServers: [server] },
    })),
  ];
}

/** The file without the values that nobody approved. */
export function onlyBelieved<Layer extends ProjectLayer>(
  layer: Layer,
  {
    projectDir,
    believes = () => true,
  }: { projectDir: string; believes?: (setting: ProjectSetting) => boolean },
): Layer {
  const parts = settingsOfLayer(layer, projectDir).flatMap(({ setting, part }) =>
    believes(setting) ? [part] : [],
  );
  return {
    ...layer,
    model: parts.find(({ model }) => model !== undefined)?.model,
    contextSize: parts.find(({ contextSize }) => contextSize !== undefined)?.contextSize,
    env: parts.flatMap(({ env = [] }) => env),
    mcpServers: parts.flatMap(({ mcpServers = [] }) => mcpServers),
  };
}
