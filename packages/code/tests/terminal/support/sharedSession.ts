import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { ScreenSession, type ScreenSetup } from "./screenSession.ts";

/** One Wave for all tests of a group, in their order. After one that failed the others would only wait, so they are skipped. */
export function shareSession(setup: ScreenSetup): () => ScreenSession {
  let session: ScreenSession | undefined;
  let failed: string | undefined;
  beforeAll(async () => {
    session = await ScreenSession.open(setup);
  });
  beforeEach(({ skip }) => skip(failed !== undefined, `the same Wave failed before: ${failed}`));
  afterEach(({ task }) => {
    if (task.result?.state === "fail") failed = task.name;
  });
  afterAll(() => session?.[Symbol.asyncDispose]());
  return () => {
    if (!session) throw new Error("the session is opened before the first test, not before that");
    return session;
  };
}
