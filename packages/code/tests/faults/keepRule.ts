// Keeps a rule for a project, as the dialog of the terminal does, and says what came of it.
import { Agent } from "wave-agent-sdk";

const [workdir = "", waveHome = "", rule = ""] = process.argv.slice(2);
const agent = await Agent.create({
  workdir,
  waveHome,
  env: {},
  onEvent: (event) => {
    if (event.type === "notice") process.stderr.write(`${event.text}\n`);
  },
});
try {
  await agent.allowRule(rule, "project");
  process.stdout.write("kept\n");
} catch (error) {
  process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
await agent.destroy();
