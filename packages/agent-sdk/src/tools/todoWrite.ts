import { z } from "zod";
import { GatePass } from "./gatePass.ts";
import { defineTool } from "./tool.ts";

const description =
  "Keeps a list of steps for work that has several. Send the whole list each time; have one step in progress, and mark a step completed as soon as it is done.";

const input = z.strictObject({
  todos: z.array(
    z.strictObject({
      content: z.string().min(1).describe("What to do: Run the tests"),
      status: z.enum(["pending", "in_progress", "completed"]),
      activeForm: z.string().optional().describe("While doing it: Running the tests"),
    }),
  ),
});

export const todoWriteTool = defineTool<z.infer<typeof input>>({
  name: "TodoWrite",
  description,
  input,
  parallel: false,
  pathFields: [],
  effect: () => ({ does: "nothing" }),
  async run(pass, { session }) {
    const { todos } = GatePass.open(pass);
    const oldTodos = session.todos;
    session.todos = todos;
    const count = (status: string) => todos.filter((todo) => todo.status === status).length;
    return {
      success: true,
      result: `The list has ${todos.length} steps: ${count("completed")} completed, ${count("in_progress")} in progress, ${count("pending")} pending.`,
      response: { oldTodos, newTodos: todos },
    };
  },
});
