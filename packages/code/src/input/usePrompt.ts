import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Typed } from "../asking/typed.ts";
import { useDraftKeys } from "../keyboard/Keyboard.tsx";
import { questionAt, type Command, type ListedFiles } from "./completion.ts";
import {
  asksForPath,
  newPrompt,
  promptStep,
  replayStep,
  restoreText,
  withMenu,
  type Comeback,
  type WentBack,
} from "./prompt.ts";
import type {
  PromptAction,
  PromptEffect,
  PromptState,
  PromptStep,
  PromptSurroundings,
  Waiting,
} from "./promptState.ts";
import { readingsOf, type KeyReading } from "./readKey.ts";

export interface PromptWiring {
  initialText?: string | undefined;
  /**
   * Comes back when its id is new: `text` into an empty input, else `beforeDraft` before what was typed meanwhile. Not reported
   * as a change: nobody typed it.
   */
  restore?: ({ readonly id: number | string } & Comeback) | undefined;
  onRestored?: (to: WentBack) => void;
  waiting?: Waiting;
  /** Whether there is work that a key can interrupt. */
  working?: boolean;
  /** Oldest first. */
  history: readonly string[];
  commands: readonly Command[];
  /** The signal: nobody wants the list any more. */
  listFiles: (signal: AbortSignal) => Promise<ListedFiles>;
  onSubmit: (text: string) => void;
  /** The person changed the text. */
  onChange?: (text: string) => void;
  onAction: (action: PromptAction) => void;
}

export type FileList =
  | { are: "unknown" }
  | ({ are: "known" } & ListedFiles)
  | { are: "unlisted"; why: string };

const knownIn = (list: FileList) =>
  list.are === "known"
    ? { files: list.names, filesLack: list.lacks, resources: list.resources }
    : { files: undefined };

/** The prompt's state, wired to the keyboard. `width`: columns of the text itself. */
export function usePrompt(wiring: PromptWiring, width: number): { state: PromptState; files: FileList } {
  const { restore } = wiring;
  const [state, setState] = useState(() => newPrompt(wiring.initialText));
  const [files, setFiles] = useState<FileList>({ are: "unknown" });
  // Several keys can come before React draws again, so each one builds on this and not on the last drawn state.
  const latest = useRef({ state, files });

  const put = (next: PromptState) => {
    latest.current.state = next;
    setState(next);
  };
  const around = (): PromptSurroundings => ({
    width,
    now: performance.now(),
    commands: wiring.commands,
    history: wiring.history,
    waiting: wiring.waiting ?? "nothing",
    working: wiring.working ?? false,
    ...knownIn(latest.current.files),
  });
  const tell = (effect: PromptEffect) => {
    if (effect.tell === "submit") wiring.onSubmit(effect.text);
    else if (effect.tell === "change") wiring.onChange?.(effect.text);
    else wiring.onAction(effect.action);
  };
  const take = (reading: KeyReading, step: typeof promptStep) => {
    const next: PromptStep = step(latest.current.state, reading, around());
    put(next.state);
    for (const effect of next.effects) tell(effect);
  };

  const takeAll = (typed: Typed, step: typeof promptStep) =>
    readingsOf(typed).forEach((reading) => take(reading, step));
  useDraftKeys({
    onKey: (typed) => takeAll(typed, promptStep),
    onReplay: (typed) => takeAll(typed, replayStep),
  });

  const applyRestore = useEffectEvent(() => {
    if (restore === undefined) return;
    const next = restoreText(latest.current.state, restore);
    if (next.state !== latest.current.state) put(next.state);
    wiring.onRestored?.(next.went);
  });
  useEffect(() => applyRestore(), [restore?.id]);

  const putFiles = useEffectEvent((list: FileList) => {
    latest.current.files = list;
    setFiles(list);
    if (list.are !== "unknown") put(withMenu(latest.current.state, around()));
  });
  const listFiles = useEffectEvent((signal: AbortSignal) => wiring.listFiles(signal));
  const asksForFiles =
    asksForPath(state.menu) || questionAt(state.editor.text, state.editor.cursor)?.asks === "file";
  useEffect(() => {
    if (!asksForFiles) return;
    // Asked anew for every @word: files come and go while an agent works.
    const unwanted = new AbortController();
    const putWanted = (list: FileList) => !unwanted.signal.aborted && putFiles(list);
    listFiles(unwanted.signal).then(
      (found) => putWanted({ are: "known", ...found }),
      (error: unknown) =>
        putWanted({ are: "unlisted", why: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      unwanted.abort();
      putFiles({ are: "unknown" });
    };
  }, [asksForFiles]);

  return { state, files };
}
