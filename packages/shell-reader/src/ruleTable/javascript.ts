import { row } from "./row.ts";

/** Scripts that a project names, by what people call those that test, check and build. */
const SCRIPTS =
  "test|t|lint|build|check|typecheck|type-check|types|tsc|format|fmt|coverage|e2e|unit|compile|verify|ci";
const RUNS_ELSEWHERE = "--script-shell --prefix -C --dir --cwd --node-options --userconfig --globalconfig";

/** Node, its package managers, and what checks, tests and builds JavaScript and TypeScript. */
export const JAVASCRIPT = [
  row("npm", {
    rules: [
      "test|t|ci",
      "run|run-script <name>",
      "ls|list|outdated|audit|explain|why",
      "view|info|show <name>",
    ],
    launches: ["exec", "exec --"],
    refuses: `${RUNS_ELSEWHERE} --logs-dir --cache --registry --call -c`,
    dashes: "either",
    values: "--workspace -w",
  }),
  row("yarn", {
    rules: [SCRIPTS, "run <name>", "workspace <name> run <name>", "install", "list|info|why|outdated|audit"],
    launches: ["", "exec"],
    refuses: `${RUNS_ELSEWHERE} --use-yarnrc --modules-folder --cache-folder --registry`,
    shortens: false,
  }),
  row("pnpm", {
    rules: [SCRIPTS, "run <name>", "install", "ls|list|why|outdated|audit"],
    launches: ["exec", ""],
    refuses: `${RUNS_ELSEWHERE} --shell-mode -c --store-dir --virtual-store-dir --registry --config`,
    shortens: false,
    values: "--filter -F",
  }),
  row("bun", {
    rules: ["test", "run <name>", "install", "pm ls"],
    launches: ["x"],
    refuses: `${RUNS_ELSEWHERE} -c --config --preload -r --env-file --registry --cache-dir -e --eval -p --print`,
    shortens: false,
    texts: "-t --test-name-pattern",
  }),
  row("npx bunx", { launches: [""], refuses: "--package -p --call -c --node-options", words: "any" }),
  row("deno", {
    rules: ["test|lint|fmt|check|bench", "task <name>"],
    refuses: "-c --config --import-map --cert --lock --env-file --plugin --cwd --location",
    shortens: false,
    texts: "--filter",
  }),
  row("node", {
    anything: true,
    rules: ["--test", "--check", "<file>"],
    refuses:
      "-r --require --import --loader --experimental-loader -e --eval -p --print --env-file --env-file-if-exists " +
      "--test-reporter-destination --test-global-setup --redirect-warnings --diagnostic-dir --report-dir --report-directory " +
      "--cpu-prof-dir --heap-prof-dir --trace-event-file-pattern --openssl-config --icu-data-dir --snapshot-blob --run --inspect " +
      "--inspect-brk --inspect-wait --experimental-config-file --experimental-sea-config --build-sea",
    shortens: false,
    texts: "--test-name-pattern --test-skip-pattern",
  }),
  row("tsx ts-node", {
    anything: true,
    rules: ["--test", "<file>"],
    refuses: "-r --require --import --loader -e --eval -p --print -P --project --env-file --tsconfig",
    shortens: false,
  }),
  row("tsc vue-tsc tsd", {
    rules: [""],
    refuses: "--plugins --generateCpuProfile --generateTrace",
    dashes: "either",
    shortens: false,
  }),
  row("eslint", {
    rules: [""],
    refuses:
      "-c --config -o --output-file --rulesdir --resolve-plugins-relative-to --parser --plugin --cache-location --env-info",
  }),
  row("oxlint oxfmt", { rules: [""], refuses: "-c --config --js-plugin --tsconfig" }),
  row("prettier", { rules: [""], refuses: "--config --plugin --cache-location --ignore-path" }),
  row("biome", { rules: ["check|lint|format|ci"], refuses: "--config-path" }),
  row("stylelint", {
    rules: [""],
    refuses:
      "-c --config --config-basedir --custom-formatter --custom-syntax -o --output-file --cache-location --ignore-path",
  }),
  row("svelte-check", { rules: [""], refuses: "--tsconfig --workspace" }),
  row("vitest", {
    rules: ["run|related|bench|list", ""],
    refuses:
      "-c --config -r --root --outputFile --globalSetup --execArgv --configLoader --api --ui --browser",
    shortens: false,
    texts: "-t --testNamePattern",
  }),
  row("jest", {
    rules: [""],
    refuses:
      "-c --config --globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --rootDir --roots --testRunner --runner " +
      "--transform --resolver --outputFile --coverageDirectory --reporters --testEnvironment --preset --projects --prettierPath " +
      "--testSequencer --dependencyExtractor --haste --filter --cacheDirectory --moduleNameMapper --modulePaths --snapshotSerializers",
    shortens: false,
    texts: "-t --testNamePattern",
  }),
  row("mocha", {
    rules: [""],
    refuses: "-r --require --config --package --file -n --node-option --import --loader --ui --opts",
    texts: "-g --grep -f --fgrep",
  }),
  row("ava tap", { rules: [""], refuses: "--config --node-arguments --before --after --import --require" }),
  row("c8 nyc", {
    launches: [""],
    rules: ["report"],
    refuses: "-c --config --temp-directory -o --reports-dir --cwd",
  }),
  row("playwright", {
    rules: ["test"],
    refuses: "-c --config --output --ui --ui-host --debug --tsconfig",
    texts: "-g --grep --grep-invert",
  }),
  row("cypress", {
    rules: ["run"],
    refuses: "-C --config-file -c --config -P --project --record -k --key -r --reporter",
  }),
  row("vite astro next nuxt", {
    rules: ["build|lint|check|typecheck"],
    refuses: "-c --config --outDir --configLoader --root",
    shortens: false,
  }),
  row("webpack", { rules: [""], refuses: "-c --config -o --output-path --extends -e" }),
  row("rollup", {
    rules: ["-c", "--config"],
    refuses: "-p --plugin --configPlugin -o --file -d --dir",
    shortens: false,
  }),
  row("turbo", {
    rules: ["run <name>", SCRIPTS],
    refuses: "--cwd --api --token --team --cache-dir --root-turbo-json --env-mode",
  }),
  row("nx", {
    rules: ["run|test|lint|build <name>", "run-many|affected"],
    refuses: "--runner --outputPath --output-path --tsConfig --jestConfig",
  }),
];
