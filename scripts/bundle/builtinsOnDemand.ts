import { isBuiltin } from "node:module";
import type { Plugin, PluginContext } from "rolldown";

type Statement = ReturnType<PluginContext["parse"]>["body"][number];
type Import = Extract<Statement, { type: "ImportDeclaration" }>;
type Named = Extract<Import["specifiers"][number], { type: "ImportSpecifier" }>;

/**
 * `import { readFileSync } from "node:fs"` has Node read every property of node:fs once, to know the names it exports. Many of
 * them load more of Node when they are read: over all of Wave's imports that takes as long as a bare Node needs to start.
 * `process.getBuiltinModule` hands out the same object and reads nothing.
 */
export const builtinsOnDemand: Plugin = {
  name: "builtins-on-demand",
  renderChunk(code) {
    let rewritten = "";
    let end = 0;
    for (const node of this.parse(code).body) {
      if (node.type !== "ImportDeclaration" || !isBuiltin(node.source.value)) continue;
      rewritten += code.slice(end, node.start) + declarations(node);
      end = node.end;
    }
    return rewritten + code.slice(end);
  },
};

function declarations({ source, specifiers }: Import): string {
  const builtin = `process.getBuiltinModule(${JSON.stringify(source.value)})`;
  const named = specifiers.filter((specifier) => specifier.type === "ImportSpecifier");
  const whole = specifiers.filter((specifier) => specifier.type !== "ImportSpecifier");
  const names = named.map((specifier) => `${nameIn(specifier, source.value)}: ${specifier.local.name}`);
  return [
    ...whole.map(({ local }) => `const ${local.name} = ${builtin};`),
    ...(names.length > 0 ? [`const { ${names.join(", ")} } = ${builtin};`] : []),
  ].join("\n");
}

/** Node itself would refuse to link a name that is not there; from here on nobody else does. */
function nameIn({ imported }: Named, source: string): string {
  const name = imported.type === "Identifier" ? imported.name : imported.value;
  if (name in Object(process.getBuiltinModule(source))) return name;
  throw new Error(`${source} has no ${name}`);
}
