import { relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createVitest, type TestCase, type TestModule, type Vitest } from "vitest/node";

/** One vitest for all runs: most tests take less time than its start. */
export class TestRunner {
  readonly #root: string;
  #started: Promise<Vitest> | undefined;
  #failed: string[] = [];
  #stopsAtFirst = false;

  constructor(root: string) {
    this.#root = root;
  }

  /** The tests in these files that fail, or only the first of them. A mutant may make one wait for ever: that is a failure as well. */
  async failuresOf(
    files: readonly string[],
    { all, longestMs }: { all: boolean; longestMs: number },
  ): Promise<string[]> {
    const vitest = await (this.#started ??= this.#start());
    this.#failed = [];
    this.#stopsAtFirst = !all;
    const specifications = await vitest.globTestSpecifications([...files]);
    if (specifications.length === 0) throw new Error(`no test file is called ${files.join(" or ")}`);
    const over = new AbortController();
    const ran = vitest.runTestSpecifications(specifications).then(({ unhandledErrors }) => unhandledErrors);
    const unhandled = await Promise.race([ran, sleep(longestMs, "hangs" as const, { signal: over.signal })]);
    over.abort();
    if (unhandled === "hangs") {
      await this.close();
      return [...this.#failed, "a test that never ends"];
    }
    return [...this.#failed, ...unhandled.map((error) => `an error that nobody caught: ${String(error)}`)];
  }

  /** Reads it anew. */
  changed(file: string): void {
    void this.#started?.then((vitest) => vitest.invalidateFile(file));
  }

  async close(): Promise<void> {
    const vitest = await this.#started;
    this.#started = undefined;
    await vitest?.close();
  }

  async #start(): Promise<Vitest> {
    const failed = (vitest: Vitest, name: string) => {
      this.#failed.push(name);
      if (this.#stopsAtFirst) void vitest.cancelCurrentRun("test-failure");
    };
    const pathOf = ({ moduleId }: TestModule) => relative(this.#root, moduleId);
    const vitest: Vitest = await createVitest("test", {
      root: this.#root,
      watch: false,
      testTimeout: 20_000,
      reporters: [
        {
          onTestCaseResult: (test: TestCase) => {
            if (test.result().state === "failed") failed(vitest, `${pathOf(test.module)}: ${test.fullName}`);
          },
          onTestModuleEnd: (module: TestModule) => {
            if (module.errors().length > 0) failed(vitest, pathOf(module));
          },
        },
      ],
    });
    return vitest;
  }
}
