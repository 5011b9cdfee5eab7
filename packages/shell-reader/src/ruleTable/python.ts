import { row } from "./row.ts";

/** Python, what tests and checks it, and what runs those in an environment. */
export const PYTHON = [
  row("python python3", {
    anything: true,
    rules: ["-m unittest", "<file>"],
    launches: ["-m"],
    refuses: "-c -i",
  }),
  row("uv", {
    rules: ["sync", "pip list", "tree"],
    launches: ["run"],
    refuses:
      "--with --with-requirements --with-editable --python -p --directory --project --index --index-url --default-index " +
      "--config-file --env-file --script -s --cache-dir --extra-index-url --find-links -f",
  }),
  row("poetry pdm", {
    rules: ["install", "show", "check"],
    launches: ["run"],
    refuses: "-C --directory -P --project",
  }),
  row("pipenv hatch rye", { launches: ["run"], refuses: "--python --config --data-dir" }),
  row("pytest py.test", {
    rules: [""],
    refuses:
      "-p -c --config-file --rootdir --confcutdir -o --override-ini --basetemp --junitxml --junit-xml --log-file --pastebin " +
      "--cov-config --pdbcls --result-log --html --json-report-file --tx --px --rsyncdir --dist --report-log --resultlog --debug",
    texts: "-k -m",
    values: "-n --maxfail --durations --tb",
  }),
  row("unittest", { rules: [""], texts: "-k" }),
  row("ruff", {
    rules: ["check|format", ""],
    refuses: "--config --cache-dir -o --output-file",
  }),
  row("black isort", {
    rules: [""],
    refuses: "--config --settings-path --settings-file --settings --sp --src",
  }),
  row("mypy", {
    rules: [""],
    refuses:
      "--config-file --python-executable --custom-typeshed-dir --custom-typing-module --cache-dir --any-exprs-report " +
      "--cobertura-xml-report --html-report --linecount-report --linecoverage-report --lineprecision-report --txt-report " +
      "--xml-report --xslt-html-report --xslt-txt-report --junit-xml --install-types",
    shortens: false,
  }),
  row("pyright basedpyright", {
    rules: [""],
    refuses: "--pythonpath --venvpath --createstub --typeshedpath -v -t",
  }),
  row("flake8", { rules: [""], refuses: "--config --append-config --output-file --enable-extensions" }),
  row("pylint", { rules: [""], refuses: "--load-plugins --rcfile --init-hook --output --source-roots" }),
  row("bandit", { rules: [""], refuses: "-c --configfile -o --output -p --profile --ini" }),
  row("coverage", {
    rules: ["run -m pytest|unittest", "report|html|xml"],
    refuses: "--rcfile -d --directory -o --data-file",
    texts: "-k",
  }),
  row("tox", {
    rules: ["run|r", ""],
    refuses: "-c --conf --workdir --root --override -x --installpkg --result-json --runner",
  }),
  row("nox", { rules: [""], refuses: "-f --noxfile --envdir --extra-pythons --force-python" }),
  row("pip pip3", {
    rules: ["list|show|freeze|check", "install -r <file>"],
    options:
      "-r -q --quiet -v --verbose -U --upgrade --no-cache-dir --disable-pip-version-check --no-deps --no-input --outdated -o " +
      "--uptodate --format --not-required -f --files --local -l --dry-run --progress-bar",
    words: "none",
    values: "--format --progress-bar",
  }),
];
