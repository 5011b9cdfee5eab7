import { row } from "./row.ts";

const PHASES = "clean|validate|compile|test-compile|test|package|verify";
const TASKS =
  "/:?(?:[\\w-]+:)*(?:clean|classes|testClasses|check|build|assemble\\w*|test\\w*|lint\\w*|compile\\w*|spotless\\w*|ktlint\\w*|detekt\\w*|jacoco\\w*|javadoc|dokka\\w*|tasks|dependencies|projects)/";

/** Languages with a compiler, and the programs that build them. */
export const COMPILED = [
  row("go", {
    rules: ["test|build|vet|fmt|list|doc", "mod tidy|download|verify", "mod graph|why"],
    refuses:
      "--exec --toolexec --overlay --modfile --C --pkgdir --ldflags --gcflags --asmflags --gccgoflags --vettool --outputdir " +
      "--args --compiler -C",
    dashes: "either",
    shortens: false,
    texts: "-run -bench -skip -fuzz",
  }),
  row("golangci-lint staticcheck gofmt gofumpt goimports", {
    rules: ["run", ""],
    refuses: "-c --config --fix-config --path-prefix --custom --cpuprofile --cpu-profile-path -cpuprofile",
    dashes: "either",
    shortens: false,
  }),
  row("cargo", {
    rules: ["build|b|check|c|clippy|doc|fmt|test|t|bench|tree|metadata", "nextest run|list"],
    refuses:
      "--config -Z -C --manifest-path --target-dir --artifact-dir --out-dir --config-path --runner --config-file --tool-config-file",
  }),
  row("rustfmt", { rules: [""], refuses: "--config-path --config --print-config" }),
  row("dotnet", {
    rules: ["build|test|format"],
    options:
      "-c --configuration -f --framework -v --verbosity --no-build --no-restore --nologo --filter --list-tests -t --collect " +
      "--verify-no-changes --include --exclude --severity --blame -q",
    texts: "--filter",
    values: "-c --configuration -f --framework -v --verbosity --collect --severity",
  }),
  row("mvn ./mvnw mvnd", {
    rules: [`${PHASES} ${PHASES} ${PHASES}`, `${PHASES} ${PHASES}`, PHASES],
    options:
      "-q --quiet -B --batch-mode -o --offline -e --errors -X --debug -ntp --no-transfer-progress -am --also-make -pl --projects " +
      "-T --threads -fae -fn -ff -U -V -Dtest -Dit.test -DskipTests -DskipITs -Dmaven.test.skip -DfailIfNoTests -Dgroups " +
      "-Dsurefire.failIfNoSpecifiedTests -Dcheckstyle.skip -Dspotless.check.skip",
    values: "-pl --projects -T --threads",
    words: "none",
  }),
  row("gradle ./gradlew gradlew", {
    rules: [`${TASKS} ${TASKS}`, TASKS],
    options:
      "--tests -x --exclude-task --info -i --debug -d --quiet -q --stacktrace -s --full-stacktrace --no-daemon --daemon --offline " +
      "--parallel --continue --rerun-tasks --console --max-workers --build-cache --no-build-cache --warning-mode --rerun " +
      "--configuration-cache --no-configuration-cache --fail-fast --dry-run -m",
    values: "--tests -x --exclude-task --console --max-workers --warning-mode",
    words: "none",
  }),
  row("sbt", {
    rules: ["test|compile|scalafmtCheck|scalafmt|testQuick"],
    options: "--client -client --batch -batch",
    words: "none",
  }),
  row("cabal", {
    rules: ["test|build|check"],
    refuses:
      "-w --with-compiler --ghc-options --ghc-option --project-file --project-dir --builddir --store-dir --config-file --test-wrapper " +
      "--with-ghc --with-gcc --prog-option",
    shortens: false,
  }),
  row("stack", {
    rules: ["test|build"],
    refuses:
      "--exec --stack-yaml --ghc-options --work-dir --stack-root --local-bin-path --extra-include-dirs --extra-lib-dirs --with-gcc",
  }),
  row("dune", {
    rules: ["build|test|runtest|fmt"],
    refuses:
      "--root --workspace --build-dir --diff-command --config-file --instrument-with --auto-promote --promote",
  }),
  row("swift", {
    rules: ["build|test"],
    refuses:
      "--package-path -C --chdir --scratch-path --build-path --toolchain --sdk --destination --swift-sdk -Xswiftc -Xcc -Xlinker " +
      "-Xcxx --pkg-config-path --config-path --security-path --cache-path",
    shortens: false,
    texts: "--filter --skip",
  }),
  row("zig", {
    rules: ["build test", "build", "test <file>", "fmt"],
    refuses:
      "--build-file --build-runner --cache-dir --global-cache-dir --prefix -p --zig-lib-dir --test-cmd --test-cmd-bin --test-runner " +
      "--sysroot -femit-bin --search-prefix --libc --prefix-exe-dir",
    shortens: false,
  }),
  row("dart flutter", {
    rules: ["test|analyze|format", "pub get|outdated|deps"],
    refuses:
      "--packages --directory -C --plugin --analysis-options --local-engine --dart-define-from-file --coverage-path",
  }),
  row("make gmake", {
    rules: ["<name>"],
    refuses:
      "-f --file --makefile -C --directory -I --include-dir -E --eval -e --environment-overrides -W -o --old-file",
    words: "none",
    values: "-j",
  }),
  row("just", {
    rules: ["<name>"],
    refuses:
      "-f --justfile -d --working-directory --set --shell --shell-arg -c --command --chooser -E --dotenv-path --dotenv-filename",
    words: "none",
  }),
  row("task", {
    rules: ["<name>"],
    refuses: "-t --taskfile -d --dir -g --global --init -i --output",
    words: "none",
  }),
  row("cmake", {
    rules: ["--build <name>"],
    options: "-j --parallel --target -t --config --verbose -v --clean-first --preset",
    values: "-j --parallel --target -t --config --preset",
    words: "none",
  }),
  row("ctest", {
    rules: [""],
    refuses:
      "-S --script -SP --script-new-process --build-and-test -D --dashboard -M --test-model -T --test-action -O --output-log " +
      "--output-junit --build-makeprogram --build-generator --test-command --overwrite -A --extra-submit",
    shortens: false,
    texts: "-R --tests-regex -E --exclude-regex -L --label-regex",
  }),
  row("ninja", {
    rules: ["-C <name> <name>", "-C <name>", "<name>"],
    options: "-j -v -k -n -d -l",
    values: "-j -k -l -d",
    words: "none",
  }),
  row("meson", {
    rules: ["test|compile"],
    refuses: "--wrapper --gdb --gdb-path --ninja-args --vs-args",
    shortens: false,
  }),
  row("bazel bazelisk", {
    rules: ["test|build|query|cquery"],
    options:
      "--test_output --test_filter -c --compilation_mode -k --keep_going -j --jobs --cache_test_results --nocache_test_results -t " +
      "--runs_per_test --test_timeout --verbose_failures --test_tag_filters --build_tests_only -s --color --curses --noshow_progress",
    words: "any",
    never: /^@@?\w+/,
  }),
];
