import {
  costOfIdling,
  costOfOpening,
  costOfStreaming,
  memoryAfterCalls,
} from "../packages/code/tests/terminal/support/costs.ts";
import { report, times } from "./stats.ts";

/** What the screen costs when a session is long, when nothing happens, and after many calls. */
export async function benchTerminal(): Promise<void> {
  const [few, many] = [await costOfStreaming(12), await costOfStreaming(5_000)];
  report(
    "bytes per frame, after 5,000 messages against 10",
    times(many.bytesPerFrame / few.bytesPerFrame),
    "1.0 ×",
  );
  report(
    "  bytes per frame; per streamed token",
    `${few.bytesPerFrame.toFixed(0)}; ${few.bytesPerToken.toFixed(0)}`,
    "-",
  );

  const [short, long] = [await costOfOpening(12), await costOfOpening(10_000)];
  report("to open 10,000 messages, CPU", `${long.cpuSeconds.toFixed(2)} s`, "under 1 s");
  report("  against 10 messages", times(long.cpuSeconds / short.cpuSeconds), "-");

  const idle = await costOfIdling(60);
  report("a minute of idling, CPU", `${idle.cpuSecondsPerMinute.toFixed(2)} s`, "under 0.1 s");
  report("  bytes written meanwhile", String(idle.bytes), "0");

  const [hundred = 0, thousand = 0] = await memoryAfterCalls([100, 1_000]);
  report("memory after 1,000 calls against 100", `+${(thousand - hundred).toFixed(1)} MB`, "within 30 MB");
  report("  after 100 calls", `${hundred.toFixed(0)} MB`, "-");
}
