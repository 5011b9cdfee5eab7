import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes longest, the longest first. A fresh clone has no record of earlier runs to learn it from. */
const LONG = [
  /hookSets\.property/,
  /calls\.property/,
  /crash\//,
  /tenThousandCalls/,
  /everyCover/,
  /examples/,
  /e2e\/pack/,
  /terminal\/costs/,
  /editSettingsRace/,
  /zoo\//,
  /routes/,
  /faults\//,
  /shellPrograms/,
  /sessionCrash/,
  /e2e\//,
  /terminal\//,
];

/** Otherwise one long file would be alone at the end, while the other workers have nothing left to do. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = LONG.findIndex((pattern) => pattern.test(moduleId));
      return index < 0 ? LONG.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    projects: ["packages/*/vitest.config.ts", "packages/*/vitest.alone.config.ts"],
    sequence: { sequencer: LongestFirst },
  },
});
