import type { BackgroundTask } from "wave-agent-sdk";
import { bodyHeight } from "../panels/frame.ts";
import { plural } from "../panels/hookWords.ts";
import { say, wrapLine } from "../panels/lines.ts";
import { MARK_WIDTH, windowAround } from "../panels/listWindow.ts";
import { lastPlace, scrolled, scrollTo } from "../panels/scroll.ts";
import {
  pressInTasks,
  TASK_ITEM_HEIGHT,
  taskItem,
  taskOutput,
  tasksKeys,
  taskState,
  type TasksEffect,
  type TasksPlace,
} from "../panels/tasks.ts";
import { printableLine } from "../utils/printable.ts";
import { Lines } from "./Lines.tsx";
import { Panel } from "./Panel.tsx";
import { SelectList } from "./SelectList.tsx";
import { usePanel } from "./usePanel.ts";

export interface TasksPanelProps {
  tasks: readonly BackgroundTask[];
  /** Milliseconds since the epoch. */
  now: number;
  columns: number;
  /** Lines the panel may take. */
  rows: number;
  onEnd: (id: string) => void;
  onClose: () => void;
}

/** Commands in the background: which there are, what each printed, and an end for those that run. */
export function TasksPanel({ tasks, now, columns, rows, onEnd, onClose }: TasksPanelProps) {
  const width = columns - MARK_WIDTH;
  const running = tasks.filter(({ state }) => state === "running");
  const keysOf = (at: TasksPlace["at"]) => tasksKeys(at, running.length > 0);
  const height = (at: TasksPlace["at"]) => bodyHeight({ rows, columns, keys: keysOf(at) });
  const { to: page } = windowAround({
    count: tasks.length,
    selected: 0,
    itemHeight: TASK_ITEM_HEIGHT,
    height: height("list"),
  });
  const read = (place: TasksPlace) =>
    place.at === "output" ? tasks.find(({ id }) => id === place.id) : undefined;
  const [place, , asks] = usePanel<TasksPlace, TasksEffect>({
    name: "tasks",
    first: () => ({ at: "list", selected: 0 }),
    press: (before, press) => {
      const task = read(before);
      const count = task ? taskOutput(task, columns).length : 0;
      const last = lastPlace(count, height("output"));
      const scroll = (from: number | "end") => {
        const to = scrollTo(press, from === "end" ? last : from, count, height("output"));
        return to >= last ? "end" : to;
      };
      return pressInTasks(before, press, { tasks, page, scroll });
    },
    carryOut: (effect) => (effect.do === "end" ? onEnd(effect.id) : onClose()),
    asks: (state) => (state.at === "output" ? `output ${state.id}` : `list ${tasks[state.selected]?.id}`),
  });
  const task = read(place);
  if (place.at === "output" && task) {
    const lines = taskOutput(task, columns);
    const from = place.from === "end" ? lastPlace(lines.length, height("output")) : place.from;
    return (
      <Panel
        asks={asks}
        title={printableLine(task.title)}
        summary={taskState(task, now).words}
        keys={keysOf("output")}
        columns={columns}
      >
        <Lines lines={scrolled(lines, from, height("output"))} />
      </Panel>
    );
  }
  return (
    <Panel
      asks={asks}
      title="Background tasks"
      summary={`${plural(running.length, "task")} running`}
      keys={keysOf("list")}
      columns={columns}
    >
      {tasks.length === 0 ? (
        <Lines lines={wrapLine([say("dim", "Nothing runs in the background.")], columns)} />
      ) : (
        <SelectList
          items={tasks}
          keyOf={({ id }) => id}
          linesOf={(one) => taskItem(one, { columns: width, now })}
          itemHeight={TASK_ITEM_HEIGHT}
          height={height("list")}
          selected={Math.min(place.selected, tasks.length - 1)}
        />
      )}
    </Panel>
  );
}
