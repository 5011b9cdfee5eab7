import stringWidth from "string-width";
import type { FailedHook, PendingPermission, RuleOffer, WantedValue } from "wave-agent-sdk";
import { TYPING_GOES } from "../keyboard/covers.ts";
import type { Question } from "./question.ts";
import { printableLine } from "../utils/printable.ts";

/** What a person can do about a request. */
export type Choice =
  | "retry"
  /** Types the value that is asked for. */
  | "answer"
  | "allow"
  /** And everything that `acceptEdits` allows, from now on. */
  | "allow-edits"
  | "allow-without-hooks"
  | "allow-in-session"
  | "allow-in-project"
  /** Offers the other rule there is; nothing is allowed by it. */
  | "other-rule"
  /** Of a question of the model's. */
  | `option-${1 | 2 | 3 | 4}`
  | "answer-with-words"
  | "deny"
  | "deny-with-words";

export interface OfferedChoice {
  choice: Choice;
  key: string;
  label: string;
  /** Where there is no room for a row of its own. */
  short: string;
  /** It belongs to the choice before it, and stands beside it where there is room. */
  joins: boolean;
}

/** What a choice is about. */
interface Choosing {
  /** A plan is approved, not allowed. */
  isPlan?: boolean;
  /** A question is answered, not allowed. */
  question?: Question | undefined;
  origin: PendingPermission["origin"];
  rule: RuleOffer;
  /** Which of its choices; the narrowest is offered first. */
  offers?: number;
  /** Hooks that hold this back only because they failed. */
  failedHooks?: readonly FailedHook[] | undefined;
  /** A value is asked for, and no permission. */
  wants?: WantedValue | undefined;
  /** An MCP server asks, and what is answered goes to it. */
  ofServer?: boolean | undefined;
}

/**
 * The one table of the dialog's own keys: it is read when a key is pressed, and it is what the dialog prints. A rule is shown
 * exactly as it will be kept, and for how long (T80). A choice without a label is not offered.
 */
const CHOICES: readonly {
  choice: Choice;
  key: string;
  label: (about: Choosing) => string | undefined;
  short?: (about: Choosing) => string;
  joins?: true;
}[] = [
  {
    choice: "retry",
    key: "r",
    label: ({ failedHooks = [] }) => (failedHooks.length === 0 ? undefined : "ask the hooks again"),
    short: () => "ask again",
  },
  {
    choice: "answer",
    key: "t",
    label: ({ wants }) => {
      if (!wants) return undefined;
      const { options } = wants;
      if (!options) return "type the answer";
      return `type ${wants.kind === "choices" ? "some" : "one"} of: ${printableLine(options.join(", "))}`;
    },
    short: () => "type it",
  },
  {
    choice: "allow",
    key: "y",
    label: ({ failedHooks = [], isPlan, wants, ofServer }) => {
      if (wants) return takenAsProposed(wants);
      if (ofServer) return "accept";
      if (failedHooks.length === 0) return isPlan ? "carry it out" : "allow once";
      return mayPass(failedHooks, "once") ? `allow once, without ${hooksIn(failedHooks)}` : undefined;
    },
    short: ({ failedHooks = [], isPlan, wants, ofServer }) => {
      if (wants) return takenAsProposed(wants) ?? "";
      if (ofServer) return "accept";
      return failedHooks.length === 0
        ? isPlan
          ? "carry it out"
          : "allow once"
        : `once without ${hooksIn(failedHooks)}`;
    },
  },
  {
    choice: "allow-edits",
    key: "a",
    label: ({ rule, failedHooks = [], isPlan }) => {
      if (rule.mode === undefined || failedHooks.length > 0) return undefined;
      return isPlan ? "carry it out, and allow all edits" : "allow all edits this session";
    },
    short: () => "all edits",
    joins: true,
  },
  // The same letter as below: never both are offered, and both are about this session.
  {
    choice: "allow-without-hooks",
    key: "s",
    label: ({ failedHooks = [] }) =>
      failedHooks.length > 0 && mayPass(failedHooks, "session")
        ? `allow, and switch ${hooksIn(failedHooks)} off this session`
        : undefined,
    short: ({ failedHooks = [] }) => `session without ${hooksIn(failedHooks)}`,
  },
  {
    choice: "allow-in-session",
    key: "s",
    label: (about) => {
      const offered = ruleIn(about);
      return offered === undefined ? undefined : `always allow ${offered} this session`;
    },
    short: (about) => `${ruleIn(about) ?? ""} in session`,
  },
  {
    choice: "allow-in-project",
    key: "p",
    label: (about) => (ruleIn(about) === undefined ? undefined : "always in this project"),
    short: () => "in project",
    joins: true,
  },
  {
    choice: "other-rule",
    key: "w",
    label: (about) => {
      if (ruleIn({ ...about, offers: 1 }) === undefined) return undefined;
      const wider = ruleIn({ ...about, offers: (about.offers ?? 0) + 1 });
      if (wider === undefined) return "offer this call alone instead";
      return `offer ${stringWidth(wider) > LONGEST_BESIDE ? "a wider rule" : wider} instead`;
    },
    // It only offers the rule, which then stands whole beside its own key.
    short: ({ rule, offers = 0 }) => (rulesOf(rule, offers + 1) === undefined ? "narrower" : "wider"),
  },
  {
    choice: "deny",
    key: "n",
    label: ({ isPlan, ofServer }) => (isPlan ? "keep planning" : ofServer ? "decline" : "deny"),
  },
  {
    choice: "deny-with-words",
    key: "d",
    // A no to what the person typed gives it back: there is no wish of the model's whose refusal words could explain.
    label: ({ origin, isPlan, ofServer }) => {
      if (origin === "person" || ofServer) return undefined;
      return isPlan ? "keep planning, and say what to change" : "deny, and say what to do instead";
    },
    short: ({ isPlan }) => (isPlan ? "say what to change" : "deny, and say"),
    joins: true,
  },
];

/** A field that may stay empty can be left so. */
const takenAsProposed = ({ proposed, required }: WantedValue): string | undefined => {
  if (proposed !== undefined) return `take ${printableLine(proposed)}`;
  return required ? undefined : "leave it empty";
};

/** All there are. */
export const ALL_CHOICES: readonly { choice: Choice; key: string }[] = CHOICES;

/** No rule lets a call pass a hook that failed. */
function ruleIn({ rule, offers = 0, failedHooks = [] }: Choosing): string | undefined {
  const rules = failedHooks.length > 0 ? undefined : rulesOf(rule, offers);
  return rules && rulesShown(rules);
}

export function rulesOf(offer: RuleOffer, offers: number): readonly string[] | undefined {
  return offer.offered ? offer.choices[offers]?.rules : undefined;
}

/** As a person reads them, in the question and in what is said about them. */
export const rulesShown = (rules: readonly string[]) => rules.join(" and ");

/** At 40 columns a row has room for so much behind the word. A longer rule is shown whole before it can be kept. */
const LONGEST_BESIDE = 28;

export const hooksIn = (failedHooks: readonly FailedHook[]) =>
  printableLine(failedHooks.map(({ name }) => name).join(" and "));

/** One hook that may not be passed is enough: then a yes would not let anything run. */
const mayPass = (failedHooks: readonly FailedHook[], how: "once" | "session") =>
  failedHooks.every((hook) => hook.mayPass === "session" || hook.mayPass === how);

/** Pressed after a yes to something with hidden characters in it. Not a neighbour of `y`, and not `y` again. */
export const CONFIRM_KEY = "c";

export function choicesFor(about: Choosing): OfferedChoice[] {
  if (about.question && (about.failedHooks ?? []).length === 0) return choicesToAnswer(about.question);
  return CHOICES.flatMap(({ choice, key, label, short, joins = false }) => {
    const words = label(about);
    return words === undefined ? [] : [{ choice, key, label: words, short: short?.(about) ?? words, joins }];
  });
}

/** A digit for each option, and one's own words. */
function choicesToAnswer({ options }: Question): OfferedChoice[] {
  const offered = (choice: Choice, key: string, label: string) => ({
    choice,
    key,
    label: printableLine(label),
    short: printableLine(label),
    joins: false,
  });
  return [
    ...([1, 2, 3, 4] as const).flatMap((at) => {
      const option = options[at - 1];
      return option ? [offered(`option-${at}`, String(at), option.label)] : [];
    }),
    offered("answer-with-words", "d", "answer in your own words"),
    offered("deny", "n", "do not answer"),
  ];
}

/** Where Enter stands at first: on a yes, unless one hasty key must not let something through. */
export function firstSelected(
  choices: readonly OfferedChoice[],
  { isDoubtful }: { isDoubtful: boolean },
): number {
  return isDoubtful ? choices.findIndex(({ choice }) => choice === "deny") : 0;
}

/** Named only where something is out of sight. */
export const SCROLL = "←→ scroll";

/** Each key with its word; they are kept together where a line is broken. */
export const KEY_HELP = {
  choosing: ["↑↓ Enter choose", SCROLL, "Esc deny", "Esc Esc stop"],
  writing: ["Enter send", "Esc back"],
  keeping: ["Keeping the rule …"],
  confirming: [`${CONFIRM_KEY} yes, run it`, "n deny", "Esc deny"],
  /** Keys are on their way to the prompt: what was typed before the dialog was seen must not answer it. */
  toDraft: [TYPING_GOES],
} as const;

export function helpRows(help: readonly string[], width: number): string[] {
  return help.reduce<string[]>((rows, part) => {
    const last = rows.at(-1);
    const longer = `${last} · ${part}`;
    if (last === undefined || longer.length > width) return [...rows, part];
    return [...rows.slice(0, -1), longer];
  }, []);
}
