import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { resolveModel, patienceOf } from "@/model/resolveModel.ts";
import { PATIENCE, SilenceWatch } from "@/model/silence.ts";
import { modelFailure, modelRequest } from "../support/modelRequest.ts";

describe("silence", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const watch = () => {
    let notices = 0;
    const silence = new SilenceWatch({ patience: PATIENCE, user: undefined, onNotice: () => notices++ });
    return { silence, notices: () => notices };
  };

  it("of half a minute is mentioned once, and one of five minutes ends the wait", () => {
    const { silence, notices } = watch();
    vi.advanceTimersByTime(29_999);
    expect(notices()).toBe(0);
    vi.advanceTimersByTime(1);
    expect(notices()).toBe(1);
    vi.advanceTimersByTime(269_999);
    expect([notices(), silence.broken]).toEqual([1, false]);
    vi.advanceTimersByTime(1);
    expect([notices(), silence.broken]).toEqual([1, true]);
  });

  it("begins anew with every word, and not with a sign of life", () => {
    const { silence, notices } = watch();
    for (let word = 0; word < 100; word++) {
      vi.advanceTimersByTime(20_000);
      silence.heard();
    }
    expect([notices(), silence.broken]).toEqual([0, false]);
    for (let sign = 0; sign < 30; sign++) {
      vi.advanceTimersByTime(10_000);
      silence.heardNothing();
    }
    expect([notices(), silence.broken, silence.isAlive]).toEqual([1, true, true]);
  });

  it("is not mentioned again when words came after it", () => {
    const { silence, notices } = watch();
    vi.advanceTimersByTime(40_000);
    silence.heard();
    vi.advanceTimersByTime(40_000);
    expect(notices()).toBe(1);
    silence.stop();
    vi.advanceTimersByTime(1_000_000);
    expect(silence.broken).toBe(false);
  });
});

describe("how long Wave waits for a model server", () => {
  const options = modelRequest({ baseUrl: "http://127.0.0.1:1/v1" }).model;
  const settings = { model: undefined, baseUrl: undefined, modelTimeout: 7 };
  const env = { WAVE_MODEL_TIMEOUT: "1.5" };
  it.each([
    ["nothing", options, 300_000],
    ["settings", { ...options, settings }, 7_000],
    ["the variable, before settings", { ...options, settings, env }, 1_500],
    ["an empty variable, which is none", { ...options, settings, env: { WAVE_MODEL_TIMEOUT: " " } }, 7_000],
    ["the option, before all", { ...options, settings, env, modelTimeout: 0.1 }, 100],
  ])("is said by %s", (_what, said, silenceMs) => {
    expect(patienceOf(said)).toEqual({ noticeMs: 30_000, silenceMs });
  });

  it.each([["soon"], ["0"], ["-1"], ["1e9"], ["Infinity"]])("is not %s seconds", async (value) => {
    const wrong = { ...options, env: { WAVE_MODEL_TIMEOUT: value } };
    expect(resolveModel(wrong).model).toBe("m1");
    const failure = await modelFailure(Promise.try(() => patienceOf(wrong)));
    expect(failure.message).toBe(
      "WAVE_MODEL_TIMEOUT is not a number of seconds between 0 and 86400; correct it or unset it.",
    );
  });
});
