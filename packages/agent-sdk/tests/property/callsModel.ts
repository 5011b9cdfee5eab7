/** What becomes of a call, written from the pages and not from the engine: hooks, rules, mode and who can answer. */
export const ON_ERRORS = ["continue", "ask", "block"] as const;
type OnError = (typeof ON_ERRORS)[number];

const SAYS = {
  silent: "none",
  talks: "none",
  allows: "allow",
  approves: "allow",
  asks: "ask",
  denies: "deny",
  blocks: "deny",
  exit2: "deny",
  exit2silent: "deny",
  exit2allows: "deny",
  deniesAndFails: "deny",
  exit1: "failed",
  exit127: "failed",
  killed: "failed",
  broken: "failed",
  unknown: "failed",
  misspelt: "failed",
  inAList: "failed",
  isNull: "failed",
  misnamedAllow: "failed",
  deniesAndAllows: "deny",
  rewrites: "none",
  rewritesAndAllows: "allow",
} as const;
export type Act = keyof typeof SAYS;
export const ACTS = Object.keys(SAYS) as Act[];
const isRewrite = (act: Act) => act.startsWith("rewrites");

/** "both": allow and ask, "clash": allow and deny, "hard": ask and deny. */
export const RULES = ["none", "allow", "ask", "deny", "both", "clash", "hard"] as const;
const SPEAKING: Record<(typeof RULES)[number], readonly string[]> = {
  none: [],
  allow: ["allow"],
  ask: ["ask"],
  deny: ["deny"],
  both: ["allow", "ask"],
  clash: ["allow", "deny"],
  hard: ["ask", "deny"],
};

export interface PlannedCall {
  rule: (typeof RULES)[number];
  /** Hook, what it does at the first look, what at the second. */
  acts: [letter: string, first: Act, second: Act][];
}
export const MODES = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const;
export interface Surroundings {
  mode: (typeof MODES)[number];
  /** "without": a yes that names the hooks that failed. */
  answer: "yes" | "without" | "nobody";
}
export interface Outcome {
  asked: boolean;
  ran: boolean;
  content: string;
}

interface Look {
  hard: boolean;
  broken: boolean;
  asks: boolean;
  allows: boolean;
}

export function expected(
  call: PlannedCall,
  around: Surroundings,
  about: { content: string; onErrorOf: (letter: string) => OnError },
): Outcome {
  const canAsk = around.answer !== "nobody" && around.mode !== "dontAsk";
  const look = (acts: [string, Act][], allowsCount: (letter: string, act: Act) => boolean): Look => {
    const words = acts.map(([letter, act]) => {
      const said = SAYS[act];
      if (said !== "failed") return said === "allow" && !allowsCount(letter, act) ? "none" : said;
      return { continue: "none", ask: "ask", block: "broken" }[about.onErrorOf(letter)];
    });
    const has = (word: string) => words.includes(word);
    return { hard: has("deny"), broken: has("broken"), asks: has("ask"), allows: has("allow") };
  };
  const acts1 = call.acts.map(([letter, first]): [string, Act] => [letter, first]);
  const rewriter = acts1.findLast(([, act]) => isRewrite(act))?.[0];
  const first = look(acts1, (letter) => rewriter === undefined || letter === rewriter);
  const refused = { asked: false, ran: false, content: about.content };
  if (first.hard || (first.broken && !canAsk)) return refused;

  const looks = [first];
  let content = about.content;
  if (rewriter !== undefined) {
    content += `+${rewriter}`;
    // A hook that begins to rewrite now would leave an input that nobody judged.
    const begins = call.acts.some(([, one, two]) => isRewrite(two) && !isRewrite(one));
    const second = look(
      call.acts.map(([letter, , act]) => [letter, act]),
      // An allow together with a change that is not taken is for something else than what runs.
      (_letter, act) => !isRewrite(act),
    );
    if (begins || second.hard) return { ...refused, content };
    looks.push(second);
  }
  const speaks = (word: string) => SPEAKING[call.rule].includes(word);
  const some = (what: keyof Look) => looks.some((one) => one[what]);
  if (speaks("deny") || around.mode === "plan") return { ...refused, content };
  if (some("broken") && !canAsk) return { ...refused, content };
  const byMode =
    !some("allows") && !speaks("allow") && (around.mode === "default" || around.mode === "dontAsk");
  const isQuestion = some("broken") || some("asks") || speaks("ask") || byMode;
  if (!isQuestion) return { asked: false, ran: true, content };
  if (!canAsk) return { ...refused, content };
  return { asked: true, ran: !some("broken") || around.answer === "without", content };
}
