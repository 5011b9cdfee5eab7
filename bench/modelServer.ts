// A scripted model in a process of its own: what it remembers of its requests must not count as Wave's memory.
import { startScriptedModel } from "../packages/agent-sdk/src/testing/index.ts";

const [answers = "0", perAnswer = "1"] = process.argv.slice(2);
const calls = Array.from({ length: Number(perAnswer) }, () => ({
  name: "TodoWrite",
  arguments: { todos: [] },
}));
const model = await startScriptedModel((_request, number) =>
  number < Number(answers) ? { calls } : { say: "done" },
);
process.stdout.write(`${model.baseUrl}\n`);
process.on("disconnect", () => void model.close());
