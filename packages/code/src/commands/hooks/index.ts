import { nearestName } from "wave-agent-sdk";
import type { Surroundings } from "../../cli/surroundings.ts";
import { wrongUsage } from "../wrongUsage.ts";
import { explainHooks } from "./explain.ts";
import type { HooksInvocation } from "./invocation.ts";
import { listHooks } from "./list.ts";
import { planOne } from "./plan.ts";
import { newHook } from "./new.ts";
import { testHooks } from "./test.ts";
import { trustHooks } from "./trust.ts";

const SUBCOMMANDS = ["list", "plan", "explain", "trust", "test", "new"] as const;

export async function runHooks(invocation: HooksInvocation, around: Surroundings): Promise<number> {
  const [name = "list", ...words] = invocation.words;
  if (invocation.session !== undefined && name !== "explain") {
    return wrongUsage(around, "--session belongs to wave hooks explain.");
  }
  switch (name) {
    case "list":
      if (words.length > 0)
        return wrongUsage(
          around,
          `wave hooks list takes no arguments, but ${JSON.stringify(words[0])} follows.`,
        );
      return listHooks(invocation, around);
    case "plan":
      return planOne(words, invocation, around);
    case "trust":
      return trustHooks(words, invocation, around);
    case "test":
      return testHooks(words, invocation, around);
    case "new":
      return newHook(words, around);
    case "explain":
      return explainHooks(words, invocation, around);
    default: {
      const near = nearestName(name, SUBCOMMANDS);
      return wrongUsage(
        around,
        `There is no wave hooks ${name}. ${near ? `Did you mean wave hooks ${near}?` : `There are: ${SUBCOMMANDS.join(", ")}.`}`,
      );
    }
  }
}
