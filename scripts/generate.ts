/**
 * Writes what is derived from the code: JSON Schemas and the tables of the reference. With --check it writes nothing and
 * fails when a file differs. Runs in the folder of the repository.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import {
  eventTable,
  exitCodeTable,
  hookFieldTable,
  inputTable,
  outputTable,
  failureTable,
  recipientTable,
} from "./generate/hookTables.ts";
import { fillIn } from "./generate/markdown.ts";
import { matcherTable } from "./generate/matcherTable.ts";
import { decisionMatrix, modeTable, protectedTable, typedMatrix } from "./generate/permissionTables.ts";
import { schemaFiles } from "./generate/schemas.ts";
import { errorTable, failureKindTable, optionTable, warningTable } from "./generate/sdkTables.ts";
import { settingsTable } from "./generate/settingsTable.ts";

const HOOKS_PAGE = "docs/reference/hooks.md";
const SETTINGS_PAGE = "docs/reference/settings.md";
const SDK_PAGE = "docs/reference/sdk.md";
const PERMISSIONS_PAGE = "docs/guide/permissions.md";

function generated(): Map<string, string> {
  const page = fillIn(readFileSync(HOOKS_PAGE, "utf8"), {
    "hook-fields": hookFieldTable(),
    events: eventTable(),
    "exit-codes": exitCodeTable(),
    "input-fields": inputTable(),
    "output-fields": outputTable(),
    matchers: matcherTable(),
    failures: failureTable(),
    recipients: recipientTable(),
  });
  const permissions = fillIn(readFileSync(PERMISSIONS_PAGE, "utf8"), {
    modes: modeTable(),
    protected: protectedTable(),
    decisions: decisionMatrix(),
    typed: typedMatrix(),
  });
  const settings = fillIn(readFileSync(SETTINGS_PAGE, "utf8"), { settings: settingsTable() });
  const sdk = fillIn(readFileSync(SDK_PAGE, "utf8"), {
    options: optionTable(),
    errors: errorTable(),
    "failure-kinds": failureKindTable(),
    warnings: warningTable(),
  });
  return schemaFiles()
    .set(HOOKS_PAGE, page)
    .set(SETTINGS_PAGE, settings)
    .set(PERMISSIONS_PAGE, permissions)
    .set(SDK_PAGE, sdk);
}

function current(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Not generated yet.
    return undefined;
  }
}

const changed = [...generated()].filter(([path, content]) => current(path) !== content);

if (process.argv.includes("--check")) {
  for (const [path] of changed) console.error(`${path} is not up to date; run: npm run generate`);
  process.exitCode = changed.length > 0 ? 1 : 0;
} else {
  for (const [path, content] of changed) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    console.log(path);
  }
}
