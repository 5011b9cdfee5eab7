import {
  findSession,
  listSessions,
  loadSession,
  neverBegan,
  SessionError,
  sessionsDirFor,
} from "wave-agent-sdk";
import type { Surroundings } from "../../cli/surroundings.ts";
import { projectDir, waveHome } from "../../modes/places.ts";
import { printable, printableJson } from "../../utils/printable.ts";
import { shortenPaths } from "../../utils/shortPath.ts";
import { nameSkipped } from "../nameSkipped.ts";
import { failed, wrongUsage } from "../wrongUsage.ts";
import { chooseDecisions } from "./choose.ts";
import type { HooksInvocation } from "./invocation.ts";
import { headlineOf, storyOf, type NumberedDecision } from "./story.ts";

export { lastStory } from "./choose.ts";

/** Who decided what, and why, from the decision records of a session. */
export async function explainHooks(
  words: readonly string[],
  invocation: HooksInvocation,
  around: Surroundings,
): Promise<number> {
  if (words.length > 1)
    return wrongUsage(
      around,
      `wave hooks explain takes one decision, but ${JSON.stringify(words[1])} follows.`,
    );
  const [wanted = "last"] = words;
  try {
    const file = await sessionFile(invocation.session, around);
    if (file === undefined)
      return failed(around, "There are no sessions in this folder yet, so there is nothing to explain.");
    const session = await loadSession(file, { decisions: true });
    if (!session) return failed(around, `Session ${invocation.session ?? file} is gone.`);
    for (const problem of session.problems) around.stderr.write(printable(`wave: ${file}: ${problem}\n`));
    const name = `Session ${session.id}`;
    const decisions = (session.decisions ?? []).map((decision, index) => ({
      number: index + 1,
      ...decision,
    }));
    const undecided = undecidedCalls(session, decisions);
    if (decisions.length === 0)
      return failed(
        around,
        undecided.length === 0
          ? `${name} has no decisions: no hook ran and no tool was called.`
          : `${name} has no decisions yet: ${undecidedWords(undecided)}`,
      );
    const choice = chooseDecisions(decisions, wanted);
    if (choice.chosen === "none")
      return failed(around, `${name} ${choice.problem} wave hooks explain all lists every decision.`);
    const chosen = choice.chosen === "all" ? decisions : choice.decisions;
    if (invocation.json) {
      around.stdout.write(`${printableJson(chosen)}\n`);
      return 0;
    }
    const lines = choice.chosen === "all" ? listOf(decisions) : chosen.flatMap(storyOf);
    const rest = wanted === "last" ? restOf(decisions.length - chosen.length) : [];
    if (undecided.length > 0) rest.push("", `Not decided: ${undecidedWords(undecided)}`);
    const text = shortenPaths([...lines, ...rest].join("\n"), projectDir(around));
    around.stdout.write(`${printable(text)}\n`);
    return 0;
  } catch (error) {
    if (error instanceof SessionError) return failed(around, error.message);
    throw error;
  }
}

async function sessionFile(id: string | undefined, around: Surroundings): Promise<string | undefined> {
  const folder = sessionsDirFor(waveHome(around.env), projectDir(around));
  if (id !== undefined) return findSession(folder, id);
  const [latest] = await listSessions(folder);
  nameSkipped(folder, around);
  return latest?.file;
}

/** The names of tools whose calls nobody has decided about: a question is open, or Wave ended before it was answered. */
function undecidedCalls(
  session: Awaited<ReturnType<typeof loadSession>>,
  decisions: readonly NumberedDecision[],
): string[] {
  const decided = new Set(decisions.map(({ toolUseId }) => toolUseId));
  const calls = (session?.messages ?? []).flatMap(({ blocks }) =>
    blocks.filter(({ type }) => type === "tool"),
  );
  return calls.flatMap((call) =>
    call.type === "tool" && !decided.has(call.id) && neverBegan(call) ? [call.name] : [],
  );
}

const undecidedWords = (names: readonly string[]) =>
  `${[...new Set(names)].join(", ")} ${names.length === 1 ? "was" : "were"} not decided when Wave last wrote: a question is open, or Wave ended before somebody answered it.`;

function listOf(decisions: readonly NumberedDecision[]): string[] {
  const width = String(decisions.length).length;
  return decisions.map((one) => `${String(one.number).padStart(width)}. ${headlineOf(one)}`);
}

function restOf(others: number): string[] {
  if (others === 0) return [];
  const [count, them] = others === 1 ? ["1 other decision", "it"] : [`${others} other decisions`, "them"];
  return [
    "",
    `This session has ${count}: wave hooks explain all lists ${them}, wave hooks explain <number or event> explains ${others === 1 ? "it" : "one"}.`,
  ];
}
