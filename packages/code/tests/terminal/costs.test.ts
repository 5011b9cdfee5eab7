import { describe, expect, it } from "vitest";
import {
  type IdleCost,
  costOfIdling,
  costOfOpening,
  costOfStreaming,
  keptAfterCalls,
} from "./support/costs.ts";

const SOAK = process.env["WAVE_SOAK"] === "1";

// Ratios and growth, taken in one run: how fast this machine is, and what else it does, is no matter. `npm run bench` prints
// the numbers themselves.
describe("what the terminal costs", () => {
  it("a streamed token is as many bytes after 5,000 messages as after ten", async () => {
    const short = await costOfStreaming(12);
    const long = await costOfStreaming(5_000);
    expect(long.bytesPerFrame / short.bytesPerFrame).toBeLessThan(1.3);
  });

  it("a session of 10,000 messages is opened by drawing its last screens, for little more than a short one", async () => {
    const short = await costOfOpening(100);
    const long = await costOfOpening(10_000);
    expect(long.bytes / short.bytes).toBeLessThan(1.1);
    expect(long.cpuSeconds / short.cpuSeconds).toBeLessThan(2.5);
  });

  it("an idle Wave writes nothing and takes next to no CPU", async () => {
    // The system counts in hundredths of a second: one of them in six seconds is a tenth of a second in a minute.
    const isIdle = ({ cpuSecondsPerMinute }: IdleCost) => cpuSecondsPerMinute <= 0.11;
    const idle = await costOfIdling(SOAK ? 60 : 6, { looks: 4, isEnough: isIdle });
    expect(idle).toSatisfy(isIdle);
    expect(idle.bytes).toBe(0);
  });

  it("a thousand calls leave hardly more in memory than a hundred", { timeout: 300_000 }, async () => {
    const [hundred, thousand] = await keptAfterCalls([100, 1_000]);
    if (!hundred || !thousand) throw new Error("nothing was measured");
    // A call takes less than a kilobyte of the conversation, and nothing else of it is kept.
    expect(thousand.used - hundred.used).toBeLessThan(3);
    expect(thousand.resident - hundred.resident).toBeLessThan(20);
    expect(thousand.newObjects).toBeLessThanOrEqual(hundred.newObjects);
  });
});
