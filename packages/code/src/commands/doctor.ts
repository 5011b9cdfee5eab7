import type { Invocation } from "../cli/args.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { examineHere, forPeople } from "../doctor/examineHere.ts";
import { countOf } from "../doctor/finding.ts";
import { paintFor } from "../output/paint.ts";
import { paintLine } from "../output/paintLine.ts";
import { doctorLines, doctorSummary } from "../panels/doctorLines.ts";
import { printable, printableJson } from "../utils/printable.ts";

/** Wide lines are hard to read, and a pipe has no width. */
const MAX_COLUMNS = 100;

/** Exit status 1 when something keeps Wave from working. */
export async function runDoctor(
  invocation: Extract<Invocation, { run: "doctor" }>,
  around: Surroundings,
): Promise<number> {
  const { json, settingsFile, model } = invocation;
  const findings = await examineHere(around, { settingsFile, model: model === undefined ? {} : { model } });
  const problems = countOf(findings, "problem");
  const { stdout, env, version } = around;
  if (json) {
    const warnings = countOf(findings, "warning");
    stdout.write(`${printableJson({ version, problems, warnings, findings })}\n`);
  } else {
    const paint = paintFor(stdout, env);
    const columns = Math.min(stdout.columns, MAX_COLUMNS);
    const lines = doctorLines(forPeople(findings, around), columns);
    for (const line of lines) stdout.write(`${paintLine(line, paint)}\n`);
    stdout.write(printable(`\n${capital(doctorSummary(findings))}.\n`));
  }
  return problems > 0 ? 1 : 0;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
