import type { HookPipeline } from "../session/hookPipeline.ts";
import type { Todo, ToolSession } from "../tools/tool.ts";

/** What a call may change of a session besides files. */
export type BeforeCall = Pick<ToolSession, "cwd" | "todos">;

export interface ChangesTold {
  /** Why hooks took the change of the list back. */
  refused: string | undefined;
  /** Why they end the turn. */
  ended: string | undefined;
}

/** Tells hooks of another folder to work in, and of tasks that are new or done: those they may refuse. */
export async function tellOfChanges(
  hooks: Pick<HookPipeline, "perform">,
  session: ToolSession,
  before: BeforeCall,
  signal: AbortSignal,
): Promise<ChangesTold> {
  const { cwd, todos } = session;
  if (cwd !== before.cwd)
    await hooks.perform("CwdChanged", { old_cwd: before.cwd, new_cwd: cwd }, { signal });
  if (todos === before.todos) return { refused: undefined, ended: undefined };
  const told = [];
  for (const [event, task] of taskEvents(before.todos, todos)) {
    const facts = { task_id: String(todos.indexOf(task) + 1), task_subject: task.content };
    told.push(await hooks.perform(event, facts, { signal }));
  }
  const reasons = told.flatMap(({ denied }) => denied ?? []);
  if (reasons.length > 0) session.todos = before.todos;
  const ends = told.flatMap(({ ended }) => ended ?? []);
  return {
    refused: reasons.length === 0 ? undefined : reasons.join("\n"),
    ended: ends.length === 0 ? undefined : ends.join("\n"),
  };
}

function taskEvents(
  before: readonly Todo[],
  now: readonly Todo[],
): ["TaskCreated" | "TaskCompleted", Todo][] {
  const earlier = (task: Todo) => before.find(({ content }) => content === task.content);
  return now.flatMap((task): ["TaskCreated" | "TaskCompleted", Todo][] => {
    const known = earlier(task);
    const isDone = task.status === "completed" && known?.status !== "completed";
    return [
      ...(known ? [] : [["TaskCreated", task] as ["TaskCreated", Todo]]),
      ...(isDone ? [["TaskCompleted", task] as ["TaskCompleted", Todo]] : []),
    ];
  });
}
