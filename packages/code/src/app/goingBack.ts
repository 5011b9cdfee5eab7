import type { RewindPoint, Rewound } from "wave-agent-sdk";
import { plural } from "../panels/hookWords.ts";
import { countFiles, fileLines } from "../panels/rewindWords.ts";
import type { CommandScreen } from "./commandScreen.ts";

type Screen = Pick<CommandScreen, "controller" | "session">;

/** Goes back to before a prompt, and says what that did. What is in the terminal's scrollback stays there: a line marks it. */
export async function rewindTo(
  point: RewindPoint,
  options: { files: boolean },
  screen: Screen,
): Promise<void> {
  const { controller, session } = screen;
  try {
    const done = await session.rewind(point.messageId, options);
    controller.wentBack(`back to before: ${point.firstLine}`);
    const what = options.files ? `, ${countFiles(done.files)}` : "; files are as they were";
    tell(`${plural(done.messages, "message")} gone from the conversation${what}`, done, screen, [
      "/rewind undo brings it all back, until the next prompt",
    ]);
    controller.putBack(done.prompt);
  } catch (error) {
    controller.notice("error", sentence(error));
  }
}

export async function undoRewind(screen: Screen): Promise<void> {
  const { controller, session } = screen;
  try {
    const done = await session.undoRewind();
    controller.wentBack("the rewind was undone");
    const what = done.files.length === 0 ? "" : `, ${countFiles(done.files)}`;
    tell(`rewind undone: ${plural(done.messages, "message")} restored${what}`, done, screen, []);
  } catch (error) {
    controller.notice("warning", sentence(error));
  }
}

function tell(head: string, { files, note }: Rewound, { controller, session }: Screen, end: string[]): void {
  const level = files.some(({ outcome }) => outcome === "kept") || note !== undefined ? "warning" : "info";
  const lines = [head, ...fileLines(files, session.folder), ...(note === undefined ? [] : [note]), ...end];
  controller.notice(level, lines.join("\n"));
}

export function rename(name: string, { controller, session }: Screen): void {
  if (name === "") return controller.notice("warning", "give the session a name: /rename the login fix");
  try {
    session.rename(name);
    controller.notice("info", "the session has its name; /resume and wave sessions list show it");
  } catch (error) {
    controller.notice("warning", sentence(error));
  }
}

/** `/export [--force] [file]` */
export async function exportTo(argument: string, { controller, session }: Screen): Promise<void> {
  const force = /(?:^|\s)--force(?=\s|$)/;
  const target = argument.replace(force, "").trim();
  const done = await session.exportSession({
    target: target === "" ? undefined : target,
    force: force.test(argument),
  });
  if (done.written) controller.notice("info", `written to ${done.file}`);
  else controller.notice("warning", `not written: ${done.why}`);
}

const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error));
