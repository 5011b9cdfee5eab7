import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { whyNoBubblewrap } from "../../support/sandboxBench.ts";
import { tempFolder } from "../../support/tempFolder.ts";

interface Report {
  said: Record<string, { is: string; why: string }>;
  askedBefore: number;
  named: string;
  asked: number;
}

describe.skipIf(whyNoBubblewrap() !== undefined)("names that lead to this machine or its network", () => {
  it("are not reached without a rule, also when they lead elsewhere at first (T130, T132)", () => {
    using folder = tempFolder();
    const resolver = join(folder.path, "resolv.conf");
    writeFileSync(resolver, "nameserver 127.0.0.1\noptions timeout:2 attempts:1\n");
    const script = fileURLToPath(new URL("privateNames.ts", import.meta.url));
    const own = [
      "--unshare-user",
      "--unshare-net",
      "--uid",
      "0",
      "--gid",
      "0",
      "--cap-add",
      "CAP_NET_BIND_SERVICE",
    ];
    const args = [...own, "--dev-bind", "/", "/", "--ro-bind", resolver, "/etc/resolv.conf"];
    const node = [process.execPath, "--conditions=@wave/source", script];
    const printed = execFileSync("bwrap", [...args, ...node], { encoding: "utf8", timeout: 120_000 });
    const { said, askedBefore, named, asked } = JSON.parse(printed) as Report;
    const isPrivate = /is an address of this machine or its network; WebFetch asks those only when/;
    for (const name of ["private.test", "mixed.test", "network.test", "cloud.test", "rebind.test again"])
      expect(said[name]?.why, name).toMatch(isPrivate);
    expect(said["rebind.test"]).toMatchObject({ is: "failed" });
    expect(askedBefore).toBe(0);
    // The same name with a rule: so it was the check that held the others back.
    expect({ named, asked }).toEqual({ named: "page", asked: 1 });
  });
});
