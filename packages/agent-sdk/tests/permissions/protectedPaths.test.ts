import { describe, expect, it } from "vitest";
import { readLine } from "wave-shell-reader";
import { placesReached } from "@/permissions/links.ts";
import { NO_PROGRAMS } from "@/permissions/programPlaces.ts";
import { protectedHits } from "@/permissions/protectedHits.ts";
import { PROTECTED, type ProtectedPlaces } from "@/permissions/protectedPaths.ts";
import { placeAccess, placePath, type Touched } from "@/permissions/touched.ts";

const LINKS: Record<string, string> = { "/proj/link": "/proj/.wave", "/proj/out": "/elsewhere" };
const THERE = new Set(["/proj/.wave/settings.json", "/proj/.git", "/proj/bin/guard.sh", "/home/ada/.bashrc"]);
const WHY = "hook guard runs it";

const PLACES: ProtectedPlaces = {
  own: [
    { path: "/proj/.wave/settings.json", why: "it is a settings file of Wave" },
    { path: "/proj/bin/guard.sh", why: WHY },
    { path: "/var/wave", why: "Wave keeps its settings, approvals and sessions there" },
  ],
  roots: ["/proj", "/home/ada"],
  exists: (path) => THERE.has(path),
  files: () => [...THERE].map((path) => ({ path, why: "it is there" })),
  programs: NO_PROGRAMS,
  brought: ({ command, becomes }, place) => {
    if (becomes.some(({ like }) => like === "unknown")) return { known: false, why: "nobody knows" };
    if (command.endsWith("unasked")) return undefined;
    const own = command.endsWith("inside") ? "/var/wave/trust.json" : "/proj/bin/guard.sh";
    const path = /(evil|inside)$/.test(command) ? own : `${place}/src/a.ts`;
    return { known: true, files: [{ path, does: "replace" }] };
  },
  otherName: (path) =>
    path === "/proj/twin" ? { path: "/proj/.wave/settings.json", why: "its twin" } : undefined,
};

const folders = {
  cwd: "/proj",
  leadsTo: (path: string) => placesReached(path, (place) => LINKS[place]),
  isNoFolder: () => false,
};

const hit = (touched: readonly Touched[]) => protectedHits(touched, PLACES)[0]?.path;
const write = (path: string) => hit([placePath("write", path, folders)]);
const run = (command: string) => {
  const { accesses } = readLine(command, { folder: "/proj", variables: { HOME: "/home/ada" } });
  return hit(accesses.flatMap((access) => placeAccess(access, folders)));
};

describe("a line that is no valid shell command", () => {
  it.each([
    ["if then", "expected command after 'if' (line 1, column 4, at then)"],
    ["echo a\necho 'b", "unterminated single quote (line 2, column 6, at 'b)"],
    ["a && ", "expected command after '&&' (line 1, column 5, at its end)"],
  ])("%j is asked about with what is wrong with it, and where (G33)", (line, problem) => {
    const { accesses } = readLine(line, { folder: "/proj", variables: {} });
    const [found] = protectedHits(
      accesses.flatMap((access) => placeAccess(access, folders)),
      PLACES,
    );
    expect(found).toEqual({
      path: "files that could not be looked for",
      why: `it does not read as a valid shell command: ${problem}. So Wave cannot tell which file that is, and it may be one of those it protects`,
    });
  });
});

describe("the list of protected files", () => {
  it("gives a reason for every row and names nothing twice (G27)", () => {
    const names = PROTECTED.flatMap((row) => [...row.names]);
    expect(new Set(names).size).toBe(names.length);
    for (const { why } of PROTECTED) expect(why).toMatch(/^[a-zA-Z].*[^.]$/);
  });

  it.each(PROTECTED.flatMap((row) => [...row.names]))(
    "protects %s at any depth, and what lies in it (G27)",
    (name) => {
      const path = name.replaceAll("*", "x");
      expect(write(`/proj/${path}`)).toBeDefined();
      expect(write(`/proj/packages/a/${path}`)).toBeDefined();
      expect(write(`/proj/${path}/inside`)).toBeDefined();
      expect(write(`/proj/${path.toUpperCase()}`)).toBeDefined();
    },
  );

  it.each([
    ["characters that nobody sees", "/proj/.ba\u200bshrc"],
    ["a long s", "/proj/.ba\u017fhrc"],
    ["another case", "/proj/.BashRC"],
    ["letters put together of parts", "/var/wave/re\u0301sume\u0301"],
  ])("protects a name with %s, which some disks take for the same (G27)", (_what, path) => {
    expect(write(path)).toBeDefined();
  });

  it.each([
    "/proj/src/a.ts",
    "/proj/.waves/x",
    "/proj/wave/settings.json",
    "/proj/git/config",
    "/proj/.gitignore",
    "/proj/.github/README.md",
    "/proj/bashrc",
    "/proj/settings.json",
    "/proj/bin/other.sh",
    "/proj/bin/guard.sh.txt",
    "/proj/.bashrc.d",
    "/proj/npmrc",
    "/var/wavelet",
    "/proj-evil/x",
  ])("leaves %s alone (G31)", (path) => {
    expect(write(path)).toBeUndefined();
  });
});

describe("a write", () => {
  const caught: [command: string, path: string][] = [
    ["echo x > link/settings.json", "/proj/link/settings.json (which is /proj/.wave/settings.json)"],
    ["echo x > bin/guard.sh", "/proj/bin/guard.sh"],
    ["echo x > twin", "/proj/twin (another name of /proj/.wave/settings.json)"],
    ["echo x > /var/wave/trust.json", "/var/wave/trust.json (/var/wave)"],
    ["rm -r bin", "/proj/bin (/proj/bin/guard.sh)"],
    ["rm -r .", "/proj/. (/proj/.wave/settings.json)"],
    ["rm -r ~", "/home/ada (/home/ada/.bashrc)"],
    ["rm -r .github", "/proj/.github"],
    ["rm -rf *", "/proj/… (/proj/bin/guard.sh)"],
    ["rm -rf .*", "/proj/.… (/proj/.wave/settings.json)"],
    ["rm b*/guard.sh", "/proj/b…/guard.sh (/proj/bin/guard.sh)"],
    ["find . -name '*.sh' -delete", "/proj/./…/….sh (/proj/bin/guard.sh)"],
    ["find . -delete", "/proj/./… (/proj/.wave/settings.json)"],
    ["git checkout evil", "/proj/bin/guard.sh (`git checkout evil` would replace it)"],
    ["git checkout inside", "/var/wave/trust.json (`git checkout inside` would replace it)"],
    ["git checkout unasked", "files that `git checkout unasked` brings"],
    ["git checkout $X", "files that `git checkout $X` brings"],
    ["git co evil", "files that `git co evil` brings"],
    ["git restore .wave", "/proj/.wave"],
    ["tar xf a.tar", "/proj/. (/proj/.wave/settings.json)"],
    ["cp a $X", "$X"],
    ["python3 x.py .wave/a", "/proj/.wave/a"],
    ["ln -s bin b", "/proj/bin (/proj/bin/guard.sh)"],
    ["mv ../proj ../away", "/proj/../proj (/proj/.wave/settings.json)"],
  ];
  it.each(caught)(
    "%j reaches a protected file, and the question names it (T82, G27, G29)",
    (command, path) => {
      expect(run(command)).toBe(path);
    },
  );

  it.each([
    "cat .wave/settings.json",
    "cp .wave/settings.json copy.json",
    "rm -rf build",
    "rm -rf src/*",
    "rm *.txt",
    "find . -name '*.pyc' -delete",
    "mv src lib",
    "cp -r src build",
    "cp -r src .",
    "tar xf a.tar -C build",
    "git add .",
    "git commit -m x",
    "mkdir -p build",
    "echo x > a.txt",
    "npm test",
    "npm test > log.txt 2>&1",
    "git checkout -b x",
    "git checkout main",
    "git restore .",
    "python3 x.py data.json",
    "touch out-$(date +%s).txt",
    "D=$(mktemp -d); touch $D/x",
    "sed -i s/a/b/ src/a.ts",
    "chmod +x bin/other.sh",
    "bash bin/guard.sh",
    "for f in *.ts; do mv $f ${f%.ts}.js; done",
    "rm -rf ./node_modules",
    "git stash list",
  ])("%j reaches none (G27)", (command) => {
    expect(run(command)).toBeUndefined();
  });
});
