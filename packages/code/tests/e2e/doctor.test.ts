import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { chmodSync, existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { makeProject } from "../support/project.ts";
import { runWave } from "../support/runWave.ts";

interface Report {
  problems: number;
  warnings: number;
  findings: { check: string; result: string; says: string; next?: string }[];
}

const report = (stdout: string): Report => JSON.parse(stdout);

describe("wave doctor", () => {
  it("finds nothing wrong in a project that works, and exits with 0", async () => {
    using project = makeProject();
    project.hook("PreToolUse", "exit 0", { matcher: "Bash", name: "guard" });
    await using model = await startScriptedModel([]);
    const { status, stdout, stderr } = await runWave(["doctor"], { project, model });
    expect(stderr).toBe("");
    expect(stdout).toContain("✓ Model     scripted; key from WAVE_API_KEY");
    expect(stdout).toContain("1 active: 1 project");
    expect(stdout).toContain("\nAll is well.\n");
    expect(stdout).not.toContain("test-key");
    expect(status).toBe(0);
    // A look leaves nothing behind.
    expect(project.sessionFiles()).toEqual([]);
    expect(existsSync(`${project.home}/sessions`)).toBe(false);
  });

  it("says everything that is wrong at once, with the next step, and exits with 1", async () => {
    using project = makeProject();
    project.hook("PreToolUse", "exit 0", { matcher: "Bsah", name: "typo" });
    project.hook("Stop", "exit 0", { name: "not executable" });
    chmodSync(`${project.folder}/hooks/hook-2.sh`, 0o644);
    const { status, stdout } = await runWave(["doctor", "--json"], { project });
    expect(status).toBe(1);
    const { findings, problems, warnings } = report(stdout);
    const of = (check: string) => findings.filter((finding) => finding.check === check);
    expect(of("Model")).toMatchObject([{ result: "problem", says: expect.stringContaining("WAVE_API_KEY") }]);
    expect(of("Server")).toEqual([]);
    expect(of("Hooks")).toEqual([
      expect.objectContaining({ result: "ok" }),
      expect.objectContaining({ result: "problem", says: expect.stringMatching(/^1 cannot run and guard/) }),
      expect.objectContaining({ result: "warning", says: expect.stringMatching(/Bsah.*Bash/) }),
      expect.objectContaining({
        result: "problem",
        says: expect.stringMatching(/not executable: .*chmod \+x/),
      }),
    ]);
    expect([problems, warnings]).toEqual([3, 1]);
  });

  it("names hooks that nobody approved, and broken settings", async () => {
    using project = makeProject();
    project.hook("PreToolUse", "exit 0", { name: "stranger" });
    const unapproved = await runWave(["doctor", "--json"], { project, approved: false });
    expect(report(unapproved.stdout).findings).toContainEqual(
      expect.objectContaining({
        check: "Hooks",
        result: "warning",
        says: expect.stringMatching(/1 off, not approved.*stranger/),
      }),
    );
    project.write(".wave/settings.json", "{ broken");
    const broken = await runWave(["doctor", "--json"], { project });
    expect(broken.status).toBe(1);
    expect(report(broken.stdout).findings).toContainEqual(
      expect.objectContaining({
        check: "Settings",
        result: "problem",
        next: expect.stringContaining("settings.json"),
      }),
    );
  });

  it("tells a server that is not there from one that has no list, and contacts no other", async () => {
    using project = makeProject();
    const refused = await runWave(["doctor", "--json"], {
      project,
      model: { baseUrl: "http://127.0.0.1:9/v1" },
    });
    expect(report(refused.stdout).findings).toContainEqual(
      expect.objectContaining({
        check: "Server",
        result: "problem",
        says: expect.stringContaining("127.0.0.1:9"),
      }),
    );
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(404).end("404 page not found");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const listless = await runWave(["doctor", "--json"], {
      project,
      model: { baseUrl: `http://127.0.0.1:${port}/v1` },
    });
    server.close();
    expect(report(listless.stdout).findings).toContainEqual(
      expect.objectContaining({ check: "Server", result: "warning" }),
    );
    expect(asked).toEqual(["/v1/models"]);
    expect(listless.status).toBe(0);
  });

  it("fits 40 columns, has no escape codes in a pipe, is in the help, and takes no words", async () => {
    using project = makeProject();
    const { stdout } = await runWave(["doctor"], { project, env: { COLUMNS: "40" } });
    expect(stdout.split("\n").filter((line) => line.length > 40)).toEqual([]);
    expect(stdout).not.toContain("\u001b");
    expect((await runWave(["--help"], { project })).stdout).toContain("wave doctor");
    expect(await runWave(["doctor", "now"], { project })).toMatchObject({ status: 2 });
  });
});
