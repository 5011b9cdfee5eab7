import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { loadSubAgent } from "@/session/file/subAgentFile.ts";
import { liveAgent } from "../support/liveAgent.ts";
import { blocksOf } from "../support/playSession.ts";
import { isOfSubAgent, startAgent, transcriptsOf } from "../support/playSubAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { waitFor } from "../support/waitFor.ts";

it("a session that ended in the middle of a sub-agent knows where its transcript is, and a copy has it (T193)", async () => {
  using folder = tempFolder();
  const live = await liveAgent(folder.path, (request, n) => {
    if (!isOfSubAgent(request)) return n === 0 ? { call: startAgent("TASK") } : { say: "done" };
    const asked = request.body.messages.length;
    return asked === 2
      ? { say: "I look.", call: { name: "Bash", arguments: { command: "echo SEEN" } } }
      : { hang: true };
  });
  void live.agent.sendMessage("go");
  await waitFor("the second request", () => live.model.requests.filter(isOfSubAgent).length === 2);
  // As a kill would leave it: what was acknowledged is on disk, and nothing was tidied up.
  const { sessionFile } = live.agent;
  const [file = ""] = transcriptsOf({ sessionFile });
  const id = /"agent":\{"id":"(\w+)"/.exec(readFileSync(sessionFile, "utf8"))?.[1] ?? "";
  const said = (await loadSubAgent(sessionFile, id))?.messages ?? [];
  expect(file).toContain(id);
  expect(blocksOf(said, "text").map(({ content }) => content)).toEqual(["TASK", "I look."]);
  expect(blocksOf(said, "tool")).toMatchObject([{ name: "Bash", result: "SEEN", success: true }]);
  await live[Symbol.asyncDispose]();

  await using copy = await liveAgent(folder.path, [{ say: "done" }], {
    options: { resume: "latest", fork: true },
  });
  const copied = await loadSubAgent(copy.agent.sessionFile, id);
  expect(blocksOf(copied?.messages ?? [], "tool")).toMatchObject([{ result: "SEEN" }]);
  expect(blocksOf(copy.agent.messages, "tool")).toMatchObject([{ name: "Agent", agent: { id } }]);
});
