// The client that `npx @modelcontextprotocol/conformance client --command "node --conditions=@wave/source scripts/mcp/conformanceClient.ts"`
// drives, with the address of a server as its last argument: Wave as it is, with a scripted model that calls each tool once.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, logInToMcpServer, testMcpServers } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";

const url = process.argv.at(-1) ?? "";
const folder = mkdtempSync(join(tmpdir(), "wave-conformance-"));
const server = { name: "t", config: { type: "http" as const, url } };
const place = { home: folder, projectDir: folder, env: process.env, providers: {} };
try {
  // What a browser does with a person in front of it.
  const login = await logInToMcpServer(server, { ...place, show: (address) => void fetch(address) });
  console.log(login);
  const [tested] = await testMcpServers([server], place);
  console.log(tested);
  const calls = (tested?.tools ?? []).map(({ name }) => ({ call: { name, arguments: { a: 5, b: 3 } } }));
  await using model = await startScriptedModel([...calls, { say: "done" }]);
  const agent = await Agent.create({
    workdir: folder,
    waveHome: folder,
    managedSettingsFile: join(folder, "none.json"),
    baseUrl: model.baseUrl,
    apiKey: "none",
    model: "scripted",
    permissionMode: "bypassPermissions",
    mcpServers: { t: server.config },
    // A person who takes whatever is proposed.
    onPermissionRequest: () => ({ decision: "allow" }),
  });
  const { because } = await agent.sendMessage("go");
  for (const { blocks } of agent.messages)
    for (const block of blocks) if (block.type === "tool") console.log(block.name, block.result);
  console.log(because);
  await agent.destroy();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
