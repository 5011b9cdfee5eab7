import type { OptionsError } from "wave-agent-sdk";

/** What options of an agent are called on the command line. */
const FLAGS: readonly [path: string, flag: string][] = [
  ["permissions.allow", "--allowed-tools"],
  ["permissions.deny", "--disallowed-tools"],
];

/** The same in the words of the command line: one sentence for each flag that cannot work. */
export function wrongFlags({ problems }: OptionsError): string[] {
  return problems.map(({ path, problem, nearest }) => {
    const flag = FLAGS.find(([start]) => path.startsWith(start))?.[1] ?? path;
    return `${flag}: ${problem}${nearest === undefined ? "" : `; did you mean ${JSON.stringify(nearest)}?`}`;
  });
}
