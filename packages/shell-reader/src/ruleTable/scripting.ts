import { row } from "./row.ts";

/** Ruby, PHP, Elixir, Perl, Lua and the shell. */
export const SCRIPTING = [
  row("bundle", {
    rules: ["install", "list|show|outdated|check"],
    launches: ["exec"],
    refuses: "--gemfile --path --binstubs",
  }),
  row("rspec", {
    rules: [""],
    refuses: "-r --require -I -o --out -O --options --default-path --drb -f --format --init --bisect",
    texts: "-e --example",
    shortens: false,
  }),
  row("rubocop standardrb", {
    rules: [""],
    refuses: "-r --require -c --config -o --out --cache-root --plugin --init",
  }),
  row("rake", {
    rules: ["<name>"],
    refuses:
      "-f --rakefile -r --require -I --libdir -E --execute-continue -e --execute -p --execute-print -R --rakelibdir -g --system -G",
    words: "none",
  }),
  row("rails bin/rails ./bin/rails", {
    rules: ["test"],
    refuses: "-I -r --require -e --environment",
    texts: "-n --name",
  }),
  row("ruby", { anything: true, rules: ["<file>"], refuses: "-e -r -I -C" }),
  row("composer", {
    rules: ["test", "run|run-script <name>", "install", "show|validate|outdated|audit"],
    refuses: "-d --working-dir --plugin --repository",
  }),
  row("phpunit vendor/bin/phpunit ./vendor/bin/phpunit pest vendor/bin/pest ./vendor/bin/pest", {
    rules: [""],
    refuses:
      "-c --configuration --bootstrap --include-path --log-junit --log-teamcity --log-events-text --coverage-html --coverage-clover " +
      "--coverage-text --coverage-php --coverage-xml --coverage-crap4j --coverage-cobertura --printer --extension -d " +
      "--cache-directory --testdox-html --testdox-text --generate-baseline --generate-configuration --test-directory",
    texts: "--filter",
    shortens: false,
  }),
  row("phpstan vendor/bin/phpstan ./vendor/bin/phpstan", {
    rules: ["analyse|analyze"],
    refuses: "-c --configuration -a --autoload-file --generate-baseline --tmp-file --instead-of",
  }),
  row("php", {
    anything: true,
    rules: ["artisan test", "<file>", "-l"],
    refuses: "-r -d -B -R -E -F -c -S -t -z",
  }),
  row("mix", {
    rules: ["test|compile|credo|dialyzer|format", "deps.get"],
    refuses:
      "-r --require --formatter --config-file --config-name --dot-formatter --import-cycles --export-coverage -pr -pa",
    shortens: false,
  }),
  row("lein", { rules: ["test|check"], refuses: "-o update-in with-profile", words: "none" }),
  row("prove", {
    rules: [""],
    refuses: "-e --exec -I -M -P --harness --source --archive -a --rc --formatter --state --rules",
    shortens: false,
  }),
  row("busted luacheck", {
    rules: [""],
    refuses:
      "--lua --helper -f --config-file --run --loaders --lpath --cpath -m --config -Xoutput -o --output --formatter -e",
  }),
  row("shellcheck bats", {
    rules: [""],
    refuses: "-P --source-path --rcfile --gather-test-outputs-in -o --output --setup-suite-file",
  }),
  row("shfmt", { rules: [""], refuses: "--to-json" }),
];
