import { nearestName, SessionError, sessionsDirFor } from "wave-agent-sdk";
import type { Invocation } from "../../cli/args.ts";
import type { Surroundings } from "../../cli/surroundings.ts";
import { projectDir, waveHome } from "../../modes/places.ts";
import { failed, wrongUsage } from "../wrongUsage.ts";
import { exportOne } from "./export.ts";
import { list } from "./list.ts";
import { rename } from "./rename.ts";
import type { SessionsRun } from "./run.ts";
import { search } from "./search.ts";
import { show } from "./show.ts";

export type SessionsInvocation = Extract<Invocation, { run: "sessions" }>;

type SessionsFlag = "json" | "all" | "force";

interface Subcommand {
  /** How many words it takes, from … to …. */
  words: readonly [least: number, most: number];
  /** What to say when there are more or fewer. */
  usage: string;
  flags: readonly SessionsFlag[];
  run(run: SessionsRun): Promise<number>;
}

const NEEDS_ID = "needs the id of one session; wave sessions list has them.";

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  list: { words: [0, 0], usage: "takes no arguments.", flags: ["json", "all"], run: list },
  show: { words: [1, 1], usage: NEEDS_ID, flags: ["json"], run: show },
  search: { words: [1, Infinity], usage: "needs the text to look for.", flags: ["json"], run: search },
  rename: {
    words: [2, Infinity],
    usage: "needs the id of a session and its new name: wave sessions rename <id> <name>.",
    flags: [],
    run: rename,
  },
  export: {
    words: [0, 2],
    usage: "takes the id of one session (default: the latest) and a file: wave sessions export [id] [file].",
    flags: ["force"],
    run: exportOne,
  },
};

export async function runSessions(
  { words, json, all, force }: SessionsInvocation,
  around: Surroundings,
): Promise<number> {
  const [name = "list", ...rest] = words;
  const command = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  if (!command) return wrongUsage(around, unknown(name));
  const [least, most] = command.words;
  if (rest.length < least || rest.length > most)
    return wrongUsage(around, `wave sessions ${name} ${command.usage}`);
  for (const [flag, given] of Object.entries({ json, all, force }) as [SessionsFlag, boolean][]) {
    if (given && !command.flags.includes(flag))
      return wrongUsage(around, `--${flag} has no meaning for wave sessions ${name}.`);
  }
  const sessionsDir = sessionsDirFor(waveHome(around.env), projectDir(around));
  try {
    return await command.run({ words: rest, json, all, force, sessionsDir, around });
  } catch (error) {
    if (error instanceof SessionError) return failed(around, error.message);
    throw error;
  }
}

function unknown(name: string): string {
  const names = Object.keys(SUBCOMMANDS);
  const near = nearestName(name, names);
  const hint = near ? `Did you mean wave sessions ${near}?` : `There are: ${names.join(", ")}.`;
  return `There is no wave sessions ${name}. ${hint}`;
}
