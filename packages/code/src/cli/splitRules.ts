/**
 * `Bash(git log:*), Edit` → two rules. Commas and blanks inside round brackets belong to the rule.
 * undefined when the brackets do not pair up: guessing would allow or deny something else than was meant.
 */
export function splitRules(list: string): string[] | undefined {
  const rules: string[] = [];
  let rule = "";
  let depth = 0;
  for (const character of list) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (depth < 0) return undefined;
    if (depth === 0 && /[\s,]/.test(character)) {
      if (rule !== "") rules.push(rule);
      rule = "";
    } else {
      rule += character;
    }
  }
  if (depth !== 0) return undefined;
  return rule === "" ? rules : [...rules, rule];
}
