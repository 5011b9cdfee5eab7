import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/**
 * Every test has a WAVE_HOME of its own, and there Wave keeps its compiled code. Compiling it again at each of a thousand
 * starts would be a third of what they cost, so all of them share one folder.
 */
export const COMPILED = {
  NODE_COMPILE_CACHE: join(tmpdir(), `wave-tests-compiled-${userInfo().uid}`),
};
