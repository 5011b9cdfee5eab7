import { isOfProject, type SettingsScope } from "../../hooks/definition.ts";
import type { HookLimits } from "../../hooks/kinds/kind.ts";
import { wildcardMatches } from "../../utils/wildcard.ts";
import { readHttpUrls, readHttpVariables } from "./keys.ts";
import type { SettingsObject } from "./node.ts";

/** Of all files before the hooks of any: what one of them says holds for the hooks of the others. All lists must allow it. */
export function hookLimitsOf(files: readonly { scope: SettingsScope; root: SettingsObject }[]): HookLimits {
  const own = files.filter(({ scope }) => !isOfProject(scope));
  // Whoever reads the file again says what is wrong in it. A list that cannot be read allows nothing.
  const listsOf = (read: typeof readHttpUrls) =>
    own.flatMap(({ root, scope }) => {
      let isWrong = false;
      const list = read(root, scope, () => (isWrong = true));
      return list ? [list] : isWrong ? [[]] : [];
    });
  const [urls, variables] = [listsOf(readHttpUrls), listsOf(readHttpVariables)];
  return {
    ...(urls.length > 0 && {
      isUrlAllowed: (url: string) => urls.every((list) => list.some((pattern) => urlMatches(pattern, url))),
    }),
    ...(variables.length > 0 && {
      isVariableAllowed: (name: string) => variables.every((list) => list.includes(name)),
    }),
  };
}

/** A `*` before the path stands for no slash: `https://*.example/` is not about `https://other/x.example/`. */
function urlMatches(pattern: string, url: string): boolean {
  const { origin, pathname, search } = new URL(url);
  const [, wantedOrigin = "", wantedPath = ""] = /^([a-z*]+:\/\/[^/?#]*)(.*)$/i.exec(pattern) ?? [];
  return (
    wildcardMatches(wantedOrigin.toLowerCase(), origin) &&
    wildcardMatches(wantedPath === "" ? "/" : wantedPath, pathname + search)
  );
}
