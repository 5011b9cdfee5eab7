// Compares in one run and prints ratios; nothing here passes or fails by the clock.
import { benchCalls } from "./calls.ts";
import { benchFirstFrame } from "./firstFrame.ts";
import { benchHooks } from "./hooks.ts";
import { benchSandbox } from "./sandbox.ts";
import { benchStart } from "./start.ts";
import { benchTerminal } from "./terminal.ts";

await benchHooks();
await benchCalls();
await benchSandbox();
await benchStart();
await benchFirstFrame();
await benchTerminal();
