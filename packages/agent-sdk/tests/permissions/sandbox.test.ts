import { describe, expect, it } from "vitest";
import {
  hookSandbox,
  mergeSandbox,
  sandboxArguments,
  writeHint,
  type GivenSandbox,
} from "@/permissions/sandbox.ts";
import type { HookSandboxMode, SandboxMode } from "@/permissions/sandboxModes.ts";
import type { SettingsScope } from "@/hooks/definition.ts";

const says = (scope: SettingsScope, given: Omit<GivenSandbox, "scope" | "from">): GivenSandbox => ({
  scope,
  from: `${scope}.json`,
  ...given,
});

describe("what holds of several sandbox settings", () => {
  it.each<[string, GivenSandbox[], Partial<ReturnType<typeof mergeSandbox>["settings"]>, string[]]>([
    ["nobody says anything", [], { mode: "reading", floor: "off", network: true, writable: [] }, []],
    ["the user switches it off", [says("user", { mode: "off" })], { mode: "off", floor: "off" }, []],
    [
      "a project may not switch off what holds without a word",
      [says("project", { mode: "off" }), says("local", { mode: "off" })],
      { mode: "reading", from: "the default" },
      ["project mode", "local mode"],
    ],
    [
      "the user asks for it",
      [says("user", { mode: "auto" })],
      { mode: "auto", floor: "off", from: "user.json" },
      [],
    ],
    [
      "a file of the command line goes before the user's",
      [says("user", { mode: "required" }), says("flag", { mode: "off" })],
      { mode: "off", from: "" },
      [],
    ],
    [
      "the program goes before both",
      [says("user", { mode: "required" }), says("flag", { mode: "off" }), says("sdk", { mode: "auto" })],
      { mode: "auto", from: "sdk.json" },
      [],
    ],
    [
      "the machine's owner says the least",
      [says("managed", { mode: "required" }), says("user", { mode: "off" })],
      { mode: "required", floor: "required", from: "managed.json" },
      ["user mode"],
    ],
    [
      "a user may ask for more than the owner",
      [says("managed", { mode: "auto" }), says("user", { mode: "required" })],
      { mode: "required", floor: "auto", from: "user.json" },
      [],
    ],
    [
      "a project may tighten",
      [says("user", { mode: "auto" }), says("project", { mode: "required", network: false })],
      { mode: "required", network: false, from: "project.json" },
      [],
    ],
    [
      "a project may not loosen, nor open a folder",
      [
        says("user", { mode: "required", network: false, writable: ["/mine"] }),
        says("project", { mode: "off", network: true, writable: ["/"] }),
        says("local", { mode: "auto" }),
      ],
      { mode: "required", network: false, writable: ["/mine"], from: "user.json" },
      ["project mode", "project network", "project writable", "local mode"],
    ],
    [
      "the owner's list is the only one",
      [says("managed", { mode: "auto", writable: [] }), says("user", { mode: "auto", writable: ["/mine"] })],
      { mode: "auto", writable: [] },
      ["user writable"],
    ],
  ])("%s (G18, T44)", (_what, given, expected, unused) => {
    const merged = mergeSandbox(given);
    expect(merged.settings).toMatchObject(expected);
    expect(merged.unused.map(({ given: { scope }, field }) => `${scope} ${field}`)).toEqual(unused);
  });
});

describe("a hook's own word", () => {
  const rows: [SettingsScope, HookSandboxMode | undefined, SandboxMode, SandboxMode, HookSandboxMode][] = [
    // whose hook, its word, what holds in general, what the owner asks for, what holds for the hook
    ["user", undefined, "auto", "off", "auto"],
    ["user", "off", "required", "off", "off"],
    ["user", "required", "off", "off", "required"],
    ["user", "off", "required", "auto", "auto"],
    ["sdk", "off", "required", "required", "required"],
    ["managed", "off", "required", "required", "off"],
    ["project", "off", "auto", "off", "auto"],
    ["local", "auto", "required", "off", "required"],
    ["project", "required", "off", "off", "required"],
    ["user", undefined, "reading", "off", "off"],
    ["project", "off", "reading", "reading", "off"],
  ];
  it.each(rows)(
    "of scope %s, %s, where %s holds and the owner says %s, means %s",
    (scope, own, mode, floor, holds) => {
      const hook = { source: { scope }, ...(own && { sandbox: own }) };
      expect(hookSandbox(hook, { mode, floor })).toBe(holds);
    },
  );
});

describe("the arguments of bubblewrap", () => {
  const plan = { mounts: [], network: true, asRoot: false, cwd: "/p" };

  it("leave everything readable and nothing writable, with pids and devices of its own (G65, G66)", () => {
    expect(sandboxArguments(plan).join(" ")).toBe(
      "--die-with-parent --json-status-fd 3 --unshare-pid --unshare-ipc --cap-drop ALL --ro-bind / / --dev /dev --proc /proc --chdir /p --",
    );
  });

  it("say nothing to the kernel and have few devices, where a command only reads (G33)", () => {
    const args = sandboxArguments({ ...plan, asRoot: true, onlyReads: true }).join(" ");
    expect(args).toContain("--proc /proc --remount-ro /proc");
    expect(args).toContain("--tmpfs /dev --dir /dev/shm");
    expect(args.match(/--dev-bind \S+/g)).toEqual(
      ["null", "zero", "random", "urandom"].map((name) => `--dev-bind /dev/${name}`),
    );
  });

  it("cut off the network, and keep root's rights about files, where that is asked for", () => {
    expect(sandboxArguments({ ...plan, network: false })).toContain("--unshare-net");
    const rights = sandboxArguments({ ...plan, asRoot: true }).filter((word) => word.startsWith("CAP_"));
    expect(rights).toEqual(["CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER"]);
  });

  it("mount the outer before the inner, and close what is hidden last", () => {
    const args = sandboxArguments({
      ...plan,
      mounts: [
        { path: "/p/.git/hooks", as: "read-only" },
        { path: "/p", as: "writable" },
        { path: "/run/user/1", as: "hidden-folder" },
        { path: "/p/.git", as: "writable" },
        { path: "/run/docker.sock", as: "hidden-file" },
        { path: "/run/user/1/open", as: "writable" },
      ],
    });
    expect(
      args
        .slice(args.indexOf("/proc") + 1, -3)
        .join(" ")
        .replaceAll(" --", "\n--")
        .split("\n"),
    ).toEqual([
      "--bind /p /p",
      "--bind /p/.git /p/.git",
      "--ro-bind /dev/null /run/docker.sock",
      "--ro-bind /p/.git/hooks /p/.git/hooks",
      "--tmpfs /run/user/1",
      "--bind /run/user/1/open /run/user/1/open",
      "--remount-ro /run/user/1",
    ]);
  });
});

describe("the arguments of bubblewrap where nothing is there by itself", () => {
  it("have no mount for what is empty anyway, and close the rest with one word (G33)", () => {
    const args = sandboxArguments({
      mounts: [
        { path: "/usr", as: "read-only" },
        { path: "/bin", as: "link", to: "/usr/bin" },
        { path: "/home", as: "hidden-folder" },
        { path: "/usr/secret", as: "hidden-folder" },
        { path: "/home/ada/shop", as: "read-only" },
      ],
      network: false,
      asRoot: false,
      cwd: "/home/ada/shop",
      onlyReads: true,
      startsEmpty: true,
    });
    expect(args.join(" ")).not.toContain("bind / /");
    expect(args.slice(args.indexOf("/proc", args.indexOf("--proc")) + 1, -3).join(" ")).toBe(
      "--ro-bind /usr /usr --symlink /usr/bin /bin --dir /home --tmpfs /usr/secret " +
        "--ro-bind /home/ada/shop /home/ada/shop --remount-ro /usr/secret --remount-ro /",
    );
  });
});

describe("output of a command that ran into the sandbox", () => {
  it.each([
    ["touch: cannot touch '/etc/x': Read-only file system", true],
    ["EROFS: read-only file system, open '/x'", true],
    ["OSError: [Errno 30] Read-only file system: '/x'", true],
    ["Permission denied", false],
    ["", false],
  ])("%j is explained: %s", (output, explained) => {
    const hint = writeHint(output, ["/p", "/tmp"]);
    expect(hint !== undefined).toBe(explained);
    if (explained) expect(hint).toMatch(/only in \/p, \/tmp.*"sandbox": \{"writable"/);
  });
});
