import { expect, it } from "vitest";
import { carriedWords, type Carried } from "../../src/view/carried.ts";

const LEFT: Carried = { to: "new-session", mode: "plan", model: "big", switchedOff: [] };

it.each<[string, Partial<Carried>, ReturnType<typeof carriedWords>]>([
  [
    "a new session keeps mode and model",
    {},
    { mark: "new session, still with mode plan, model big", notice: undefined },
  ],
  [
    "a new session keeps the mode when nobody knows the model yet",
    { model: undefined },
    { mark: "new session, still with mode plan", notice: undefined },
  ],
  [
    "another session has a model of its own and keeps the mode",
    { to: "session" },
    { mark: "another session, still with mode plan", notice: undefined },
  ],
  [
    "hooks that were switched off are on again and named",
    { switchedOff: ["format", "lint"] },
    {
      mark: "new session, still with mode plan, model big",
      notice: "hooks are switched off for one session only; on again: format, lint",
    },
  ],
])("%s", (_title, difference, words) => {
  expect(carriedWords({ ...LEFT, ...difference })).toEqual(words);
});
