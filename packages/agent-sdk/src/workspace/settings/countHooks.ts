import { fieldsOf, type SettingsNode } from "./node.ts";

/** `{<event>: [{"matcher": …, "hooks": [<hook>, …]}]}`. Something else that stands there may be meant as a hook, too. */
export function hooksIn(hooks: SettingsNode): number {
  if (hooks.type !== "object") return 1;
  const groups = hooks.entries.flatMap(({ node }) => (node.type === "list" ? node.items : [node]));
  return groups.reduce((sum, group) => {
    const [inner] = group.type === "object" ? fieldsOf(group, "hooks") : [];
    return sum + (inner?.type === "list" ? inner.items.length : 1);
  }, 0);
}
