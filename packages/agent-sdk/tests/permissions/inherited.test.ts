import { describe, expect, it } from "vitest";
import { policyBench } from "../support/policyBench.ts";

/** Names that every object of JavaScript answers to, wherever a table is asked without care. */
const NAMES = Object.getOwnPropertyNames(Object.prototype);

const LINES = (name: string) => [
  name,
  `/bin/${name} x`,
  `sudo ${name} x`,
  `env A=1 ${name}`,
  `nice -n 5 ${name}`,
  `echo x | ${name} | xargs ${name}`,
  `find . -exec ${name} {} +`,
  `find . -${name} x`,
  `git ${name}`,
  `git -c ${name}.x=1 status`,
  `git ls-files --${name}`,
  `npm ${name}`,
  `npm run ${name}`,
  `npx ${name}`,
  `docker ${name}`,
  `ls --${name}=x -- ${name}`,
  `set -o ${name}`,
  `shopt -s ${name}`,
  `trap 'ls' ${name}`,
  `${name}=1 ls`,
  `export ${name}=1; ls`,
  `for ${name} in a b; do ls; done`,
  `${name}() { ls; }; ${name}`,
  `case ${name} in x) ls;; esac`,
  `awk '{ print ${name}($1) }' README.md`,
  `sed -n '${name}' README.md`,
  `ls > ${name}`,
  `bash -c ${name}`,
  `\\${name}`,
];

describe("a command with a name that every object has", () => {
  it.each(NAMES)("is judged like any other: %s (G33, G35)", (name) => {
    using bench = policyBench();
    for (const line of LINES(name)) {
      const { decision } = bench.decide(line, {
        mode: "default",
        allow: ["Bash(ls:*)"],
        deny: [`Bash(${name}:*)`],
      });
      expect([line, decision]).toEqual([line, expect.stringMatching(/^(allow|ask|deny)$/)]);
    }
    expect(bench.decide(name, { mode: "default" }).decision).toBe("ask");
    expect(
      bench.decide(`sudo ${name} x`, { mode: "bypassPermissions", deny: [`Bash(${name}:*)`] }).decision,
    ).toBe("deny");
  });
});
