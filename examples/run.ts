// Runs the examples and says of each whether it still does what it shows: `npm run examples`, or `npm run examples -- secret`
// for those with "secret" in their name. `--list` prints what there is, one JSON object per line.
import { allExamples, type Example } from "./support/examples.ts";

const args = process.argv.slice(2);
const wanted = args.filter((arg) => arg !== "--list");
const examples = await allExamples();
const chosen =
  wanted.length === 0 ? examples : examples.filter(({ name }) => wanted.some((part) => name.includes(part)));

if (chosen.length === 0) {
  console.error(
    `no example is named like ${wanted.join(" or ")}; there are: ${examples.map(({ name }) => name).join(", ")}`,
  );
  process.exitCode = 1;
} else if (args.includes("--list")) {
  for (const { name, missing } of chosen) console.log(JSON.stringify({ name, missing: missing() }));
} else {
  for (const example of chosen) await runOne(example);
}

async function runOne(example: Example): Promise<void> {
  const { name } = example;
  const missing = example.missing();
  if (missing.length > 0) {
    console.log(`skipped  ${name}: ${missing.join(" and ")} not installed here`);
    return;
  }
  const wrong = await example.run().catch((error: unknown) => [String(error)]);
  console.log(`${wrong.length === 0 ? "ok      " : "failed  "} ${name}`);
  for (const line of wrong.flatMap((text) => text.split("\n"))) console.log(`         ${line}`);
  if (wrong.length > 0) process.exitCode = 1;
}
