import { Box, Text, useInput, useWindowSize } from "ink";
import { useReducer, useRef, useState, useSyncExternalStore } from "react";
import type { Typed } from "../asking/typed.ts";
import { PermissionDialog } from "../components/PermissionDialog.tsx";
import { PromptBox } from "../components/PromptBox.tsx";
import { Spinner } from "../components/Spinner.tsx";
import { StatusLine } from "../components/StatusLine.tsx";
import { useAsking } from "../contexts/HookEventContext.tsx";
import { PLACEHOLDER } from "../input/promptHints.ts";
import type { PromptAction, Waiting } from "../input/promptState.ts";
import type { PromptWiring } from "../input/usePrompt.ts";
import { useTheme } from "../theme.ts";
import { printableLine } from "../utils/printable.ts";
import { screenText } from "../view/screenText.ts";
import type { AppProps } from "./App.tsx";
import { Conversation } from "./Conversation.tsx";
import { overlayReducer, type Overlay } from "./overlay.ts";
import { Panels } from "./Panels.tsx";
import { readPrompt } from "./readPrompt.ts";
import { useChangeQuestion } from "./reviewing.ts";
import type { SessionActions } from "./sessionActions.ts";
import type { SessionState } from "./sessionState.ts";
import { SLASH_COMMANDS } from "./slashCommands.ts";
import { useNow } from "./useNow.ts";

/** A second Ctrl-C within this time leaves. */
const LEAVE_WITHIN_MS = 2_000;

interface ScreenProps extends AppProps {
  replay: PromptWiring["replay"];
  /** Keys that came while something covered the prompt and were meant for it. */
  onToDraft: (typed: Typed) => void;
}

/** Everything on the screen: what was said, what is asked, and where one writes. */
export function Screen({ replay, onToDraft, ...props }: ScreenProps) {
  const { controller, session, folder, plain, onLeave } = props;
  const { columns, rows } = useWindowSize();
  const theme = useTheme();
  const state = useSyncExternalStore(controller.store.subscribe, controller.store.snapshot);
  const asking = useAsking();
  const [overlay, changeOverlay] = useReducer(overlayReducer, { show: "chat" });
  const [open, setOpen] = useState(false);
  const ctrlC = useRef(-Infinity);
  const interrupted = useRef(-Infinity);
  const working = state.turn.is === "working";
  const now = useNow(working && !plain);
  // A question waits for its answer: it is never hidden behind a panel.
  const shown = asking.visible ? "question" : overlay.show === "chat" ? "chat" : "panel";

  const openPanel = (next: Overlay) => changeOverlay({ do: "open", overlay: next });
  useChangeQuestion(state.changesNoticed, shown === "chat", { controller, session, open: openPanel });

  const act = (action: PromptAction) => {
    if (action === "cycle-mode") return controller.cycleMode();
    if (action === "expand") return setOpen((before) => !before);
    if (action === "exit") return onLeave({ to: "exit" });
    if (action === "steer") return controller.steer();
    if (action === "take-back") return controller.takeBackQueued();
    if (action === "earlier") return controller.showEarlier(session.messages());
    if (action === "interrupt" || action === "back") {
      if (working) interrupted.current = performance.now();
      if (working) return controller.interrupt();
      // Whoever presses Esc several times to stop the work does not want to go back.
      const stopped = performance.now() - interrupted.current < LEAVE_WITHIN_MS;
      if (action === "back" && !stopped) changeOverlay({ do: "open", overlay: { show: "rewind" } });
      return;
    }
    if (action !== "cancel") return;
    if (working) return controller.interrupt();
    if (performance.now() - ctrlC.current < LEAVE_WITHIN_MS) return onLeave({ to: "exit" });
    ctrlC.current = performance.now();
    controller.notice("info", "press Ctrl-C again to leave");
  };
  // The prompt has its own. A question is part of the work that it stops; a panel is what it closes.
  const cancelOutsidePrompt = () => (shown === "panel" ? changeOverlay({ do: "close" }) : act("cancel"));
  useInput((input, key) => (key.ctrl && input === "c" ? cancelOutsidePrompt() : undefined), {
    isActive: shown !== "chat",
  });
  const submit = (text: string) => {
    props.onDraft("");
    const typed = readPrompt(text);
    if (typed.kind === "prompt") return controller.submit(typed.text);
    if (typed.kind === "shell") return controller.runShell(typed.command);
    if (typed.kind === "note") return void controller.addNote(typed.note);
    if (typed.kind === "nothing") return controller.notice("info", typed.hint);
    if (typed.kind === "unknown-command") {
      return controller.notice("warning", `there is no command /${typed.name}; /help lists them`);
    }
    SLASH_COMMANDS[typed.command].run(typed.argument, {
      controller,
      session,
      open: openPanel,
      leave: onLeave,
    });
  };

  return (
    <Box flexDirection="column" width={columns}>
      <Conversation
        toPrint={state.toPrint}
        live={state.live}
        width={columns}
        maxRows={Math.max(3, rows - 12)}
        folder={folder}
        open={open}
        plain={plain}
        onPrinted={(batch, count) => controller.printed(batch, count)}
      />
      {state.turn.is === "working" && shown === "chat" && (
        <Box>
          <Spinner plain={plain} />
          <Text {...theme.dim}>
            {` ${printableLine(state.turn.doing)}${plain ? "" : ` · ${secondsSince(state.turn.since, now)}`} · Esc stops`}
          </Text>
        </Box>
      )}
      {state.restore?.reason !== undefined && shown === "chat" && (
        <Text {...theme.danger}>{`not sent: ${screenText(state.restore.reason)}`}</Text>
      )}
      {asking.visible && (
        <PermissionDialog
          visible={asking.visible}
          count={asking.count}
          columns={columns}
          rows={Math.max(10, rows - 2)}
          isActive
          onDrawn={asking.onDrawn}
          onTyped={asking.onTyped}
        />
      )}
      {shown === "panel" && (
        <Panels
          {...props}
          overlay={overlay}
          state={state}
          columns={columns}
          rows={rows - 2}
          onClose={() => changeOverlay({ do: "close" })}
          onOpen={openPanel}
          onToDraft={onToDraft}
        />
      )}
      {/* Kept while something covers it: what was typed must not be lost. */}
      <Box display={shown === "chat" ? "flex" : "none"} flexDirection="column">
        <PromptBox
          isActive={shown === "chat"}
          width={columns}
          mode={state.mode}
          queued={state.queued.map(({ text }) => text)}
          telling={state.telling}
          waiting={waitingIn(state.queued)}
          history={state.history}
          commands={COMMANDS}
          listFiles={session.listFiles}
          placeholder={PLACEHOLDER}
          {...(props.draft === undefined ? {} : { initialText: props.draft })}
          {...(state.restore ? { restore: state.restore } : {})}
          {...(replay ? { replay } : {})}
          onSubmit={submit}
          onChange={props.onDraft}
          onAction={act}
        />
      </Box>
      <StatusLine
        columns={columns}
        model={state.model}
        folder={props.shownFolder}
        branch={props.branch}
        mode={state.mode}
        tokens={
          state.contextTokens === undefined
            ? undefined
            : {
                used: state.contextTokens,
                contextSize: state.contextSize,
                estimated: state.contextEstimated,
              }
        }
        hooksRunning={state.runningHooks.map(({ hook, since }) => ({
          name: hook.name,
          runningMs: now - since,
        }))}
        hooksOff={hooksOff(session)}
        changed={session.changedFiles().length}
        failedOpen={state.hookTally.failedOpen.reduce((sum, { count }) => sum + count, 0)}
        queued={state.queued.length + state.telling.length}
      />
    </Box>
  );
}

const COMMANDS = Object.entries(SLASH_COMMANDS).map(([name, { does }]) => ({ name, description: does }));

const secondsSince = (since: number, now: number) => `${Math.max(0, Math.floor((now - since) / 1000))} s`;

function waitingIn(queued: SessionState["queued"]): Waiting {
  if (queued.some((task) => task.do === "ask-model")) return "prompt";
  return queued.length > 0 ? "something" : "nothing";
}

function hooksOff({ hooks }: SessionActions): { count: number; why: string }[] {
  const reasons = new Map<string, number>();
  for (const { off } of hooks()) if (off) reasons.set(off.words, (reasons.get(off.words) ?? 0) + 1);
  return [...reasons].map(([why, count]) => ({ why, count }));
}
