import { describe, expect, it } from "vitest";
import { readOnlyPlan, type ReadOnlyPlace } from "@/permissions/readOnlyPlan.ts";

const PLACE: ReadOnlyPlace = {
  cwd: "/home/ada/shop",
  asRoot: false,
  temporary: ["/tmp"],
  closed: ["/home", "/home/ada", "/run"],
  kept: ["/home/ada/shop", "/usr/bin"],
  hidden: [],
  written: [],
};

const mountsOf = (given: Partial<ReadOnlyPlace>) =>
  readOnlyPlan({ ...PLACE, ...given }).mounts.map(({ path, as }) => `${as} ${path}`);

describe("what is mounted for a command that may only read", () => {
  const rows: [string, Partial<ReadOnlyPlace>, string[]][] = [
    [
      "the project is there, and nothing else of people's folders",
      {},
      ["private-folder /tmp", "hidden-folder /home", "hidden-folder /run", "read-only /home/ada/shop"],
    ],
    [
      "a project in the temporary folder",
      { cwd: "/tmp/p", kept: ["/tmp/p"], closed: [] },
      ["private-folder /tmp", "read-only /tmp/p"],
    ],
    [
      "a project that is the temporary folder itself",
      { cwd: "/tmp", kept: ["/tmp"], closed: ["/run"] },
      ["hidden-folder /run"],
    ],
    [
      "a project that is the home",
      { cwd: "/home/ada", kept: ["/home/ada"], closed: ["/home", "/home/ada"] },
      ["private-folder /tmp", "hidden-folder /home", "read-only /home/ada"],
    ],
    [
      "files and folders that rules keep back, each once",
      {
        closed: [],
        hidden: [
          { path: "/home/ada/shop/.env", isFolder: false },
          { path: "/home/ada/shop/secrets", isFolder: true },
          { path: "/home/ada/shop/secrets/key", isFolder: false },
          { path: "/tmp/gone", isFolder: false },
        ],
      },
      ["private-folder /tmp", "hidden-folder /home/ada/shop/secrets", "hidden-file /home/ada/shop/.env"],
    ],
    [
      "a folder to start in that is not there any more",
      { cwd: "/home/ada/other", closed: ["/home"] },
      [
        "private-folder /tmp",
        "hidden-folder /home",
        "read-only /home/ada/shop",
        "hidden-folder /home/ada/other",
      ],
    ],
    [
      "a disk of which only the system is there by itself",
      {
        system: ["/etc", "/usr"],
        links: [
          { path: "/bin", to: "/usr/bin" },
          { path: "/usr/lib/x", to: "/elsewhere" },
        ],
        kept: ["/home/ada/shop", "/usr/bin", "/srv"],
        hidden: [{ path: "/dev/log", isFolder: false }],
      },
      [
        "read-only /etc",
        "read-only /usr",
        "link /bin",
        "private-folder /tmp",
        "hidden-folder /home",
        "hidden-folder /run",
        "read-only /home/ada/shop",
        "read-only /srv",
      ],
    ],
    [
      "the one file that Wave reads afterwards",
      { closed: [], written: ["/tmp/wave/folder"] },
      ["private-folder /tmp", "writable /tmp/wave/folder"],
    ],
  ];
  it.each(rows)("%s (G33)", (_what, given, expected) => {
    expect(mountsOf(given)).toEqual(expected);
  });

  it("has no network", () => {
    expect(readOnlyPlan(PLACE)).toMatchObject({ network: false, onlyReads: true, startsEmpty: false });
    expect(readOnlyPlan({ ...PLACE, system: ["/usr"] })).toMatchObject({ startsEmpty: true });
  });
});
