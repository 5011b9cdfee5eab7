import { Box, Text, useStdout, useWindowSize } from "ink";
import { useReducer, useRef, useSyncExternalStore } from "react";
import { roomOn } from "../asking/fit.ts";
import { PermissionDialog } from "../components/PermissionDialog.tsx";
import { PromptBox } from "../components/PromptBox.tsx";
import { Spinner } from "../components/Spinner.tsx";
import { Steps } from "../components/Steps.tsx";
import { StatusLine } from "../components/StatusLine.tsx";
import { useAsking } from "../contexts/HookEventContext.tsx";
import { PLACEHOLDER } from "../input/promptHints.ts";
import type { PromptAction, Waiting } from "../input/promptState.ts";
import { Hidden, useToDraft } from "../keyboard/Keyboard.tsx";
import { useTheme } from "../theme.ts";
import { workingWords } from "../view/doing.ts";
import { isFolded } from "../view/opened.ts";
import type { AppProps } from "./appProps.ts";
import { useBranch } from "./branch.ts";
import { Live, Printed } from "./Conversation.tsx";
import { overlayReducer, type Overlay } from "./overlay.ts";
import { Panels } from "./Panels.tsx";
import { readPrompt } from "./readPrompt.ts";
import { useChangeQuestion } from "./reviewing.ts";
import type { SessionActions } from "./sessionActions.ts";
import type { SessionState } from "./sessionState.ts";
import { commandList, SLASH_COMMANDS } from "./slashCommands.ts";
import { usePanelScreen } from "./usePanelScreen.ts";
import { useNow } from "./useNow.ts";

const TO_THE_TOP = "\u001b[1;1H";

/** Esc within this time of an interrupt belongs to it. */
const STILL_STOPPING_MS = 2_000;

/**
 * A window that becomes narrower can leave what was live in the scrollback once more, so it is at most half of it; prompt and
 * status need a dozen rows.
 */
const liveRows = (rows: number) => Math.max(3, Math.min(rows - 12, Math.floor(rows / 2)));

/** A few steps around the one that is being done; in a low window what is said needs the room. */
const stepRows = (rows: number) => Math.min(9, Math.floor(rows / 4));

/** Everything on the screen: what was said, what is asked, and where one writes. */
export function Screen(props: AppProps) {
  const { controller, session, folder, plain, onLeave } = props;
  const { columns, rows } = useWindowSize();
  const { write } = useStdout();
  const theme = useTheme();
  const state = useSyncExternalStore(controller.store.subscribe, controller.store.snapshot);
  const asking = useAsking();
  const toDraft = useToDraft();
  const [overlay, changeOverlay] = useReducer(overlayReducer, { show: "chat" });
  const interrupted = useRef(-Infinity);
  const working = state.turn.is === "working";
  const inBackground = session.inBackground();
  // Nobody tells when one of those has ended.
  const branch = useBranch(folder);
  const now = useNow((working || inBackground > 0) && !plain);
  // A question waits for its answer: it is never hidden behind a panel.
  const wanted = asking.visible ? "question" : overlay.show === "chat" ? "chat" : "panel";
  // For screen readers everything stands below what was said before it.
  const screen = usePanelScreen(wanted === "panel" && !plain ? "panel" : "conversation");
  // Until its screen is there, what the panel will cover stays as it is.
  const shown = wanted === "panel" && !plain && screen !== "panel" ? "chat" : wanted;
  const running = state.runningHooks.map(({ hook, status, event, since }) => ({
    name: status ?? hook.name,
    event,
    since,
  }));
  const look = { width: columns, folder, plain };
  const questionRoom = roomOn(rows);
  const hasOnlyQuestion = shown === "question" && questionRoom.around === "left-out";

  const openPanel = (next: Overlay) => changeOverlay({ do: "open", overlay: next });
  useChangeQuestion(state.changesNoticed, wanted === "chat", { controller, session, open: openPanel });

  const openFolded = () => {
    const room = { width: columns, folder };
    if ([...state.shown, ...state.live].some((item) => isFolded(item, room)))
      return openPanel({ show: "opened" });
    controller.notice("info", "nothing is folded: all of it is on the screen");
  };
  const pastePicture = async () => {
    const picture = await session.clipboardPicture();
    if ("path" in picture) toDraft({ by: "paste", text: picture.path });
    else controller.notice("info", picture.problem);
  };
  const act = (action: PromptAction) => {
    if (action === "cycle-mode") return controller.cycleMode();
    if (action === "expand") return openFolded();
    if (action === "exit") return onLeave({ to: "exit" });
    if (action === "steer") return controller.steer();
    if (action === "take-back") return controller.takeBackQueued();
    if (action === "paste-picture") return void pastePicture();
    if (action === "earlier") return controller.showEarlier(session.messages());
    if (action === "interrupt" || action === "back") {
      if (working) interrupted.current = performance.now();
      if (working) return controller.interrupt();
      // Whoever presses Esc several times to stop the work does not want to go back.
      const stopped = performance.now() - interrupted.current < STILL_STOPPING_MS;
      if (action === "back" && !stopped) changeOverlay({ do: "open", overlay: { show: "rewind" } });
      return;
    }
    if (action === "redraw") write("\n".repeat(rows - 1) + TO_THE_TOP);
  };
  const submit = (text: string) => {
    props.onDraft("");
    const typed = readPrompt(
      text,
      session.commands().map(({ name }) => name),
    );
    if (typed.kind === "prompt") return controller.submit(typed.text);
    if (typed.kind === "shell") return controller.runShell(typed.command);
    if (typed.kind === "text-command") return controller.runTextCommand(typed.name, typed.argument);
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
    <Box
      flexDirection="column"
      width={columns}
      flexShrink={0}
      // A frame that is higher than the screen is cut at its top, and there stands the call that is asked about.
      {...(shown === "question" ? { maxHeight: rows - 1 } : {})}
    >
      <Printed
        {...look}
        toPrint={state.toPrint}
        held={screen === "panel"}
        onPrinted={(batch, count) => controller.printed(batch, count)}
      />
      {shown !== "panel" && !hasOnlyQuestion && <Live {...look} live={state.live} maxRows={liveRows(rows)} />}
      {shown === "chat" && (
        <Steps
          steps={state.steps}
          width={columns}
          rows={stepRows(rows)}
          form={working && !plain ? "list" : "line"}
        />
      )}
      {state.turn.is === "working" && shown === "chat" && (
        <Box>
          <Spinner plain={plain} />
          <Text wrap="truncate" {...theme.dim}>
            {` ${workingWords({ ...state.turn, hooks: running, now: plain ? undefined : now }, columns - 2)}`}
          </Text>
        </Box>
      )}
      {state.restore?.became !== undefined && shown === "chat" && (
        <Text {...theme.warning}>{state.restore.became}</Text>
      )}
      {/* Kept under a question, with what was typed in it. It gets keys before its screen is there: none must be lost. */}
      {overlay.show !== "chat" && (
        <Hidden isHidden={shown !== "panel"}>
          <Box display={shown === "panel" ? "flex" : "none"}>
            <Panels
              {...{ overlay, state, columns, session, controller, folder, onLeave }}
              rows={rows - 3}
              onClose={() => changeOverlay({ do: "close" })}
              onOpen={openPanel}
            />
          </Box>
        </Hidden>
      )}
      {asking.visible && asking.asks !== undefined && (
        <PermissionDialog
          visible={asking.visible}
          count={asking.count}
          columns={columns}
          rows={questionRoom.rows}
          asks={asking.asks}
          isPaused={asking.isPaused}
          onTyped={asking.onTyped}
          onEarly={asking.onEarly}
          onStop={() => controller.interrupt()}
        />
      )}
      {/* Kept while something covers it: what was typed must not be lost. */}
      <Box
        display={shown === "panel" || hasOnlyQuestion ? "none" : "flex"}
        flexDirection="column"
        flexShrink={0}
      >
        <PromptBox
          isActive={wanted === "chat"}
          shows={shown === "chat" ? "all" : "draft"}
          width={columns}
          working={working}
          queued={state.queued.map(({ text }) => text)}
          telling={state.telling}
          waiting={waitingIn(state.queued)}
          history={state.history}
          commands={[...COMMANDS, ...ofFiles(session.commands())]}
          listFiles={session.listFiles}
          placeholder={PLACEHOLDER}
          maxRows={rows - 10}
          {...(props.draft === undefined ? {} : { initialText: props.draft })}
          {...(state.restore ? { restore: state.restore } : {})}
          onRestored={(to) => controller.cameBack(to)}
          onSubmit={submit}
          onChange={props.onDraft}
          onAction={act}
        />
      </Box>
      <Box display={hasOnlyQuestion ? "none" : "flex"} flexShrink={0}>
        <StatusLine
          columns={columns}
          model={state.model}
          folder={props.showFolder(session.cwd())}
          branch={branch}
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
          // The line about the work names them already, where it is drawn.
          hooksRunning={
            working && shown === "chat"
              ? []
              : running.map(({ name, since }) => ({ name, runningMs: now - since }))
          }
          awaitsAnswer={shown === "question"}
          hooksOff={hooksOff(session)}
          instructionsOut={session.leavesInstructionsOut()}
          changed={session.changedFiles().length}
          failedOpen={state.hookTally.failedOpen.reduce((sum, { count }) => sum + count, 0)}
          inBackground={inBackground}
          queued={state.queued.length + state.telling.length}
        />
      </Box>
    </Box>
  );
}

const ofFiles = (commands: ReturnType<SessionActions["commands"]>) =>
  commands.map(({ name, description, argumentHint }) => ({
    name,
    description: argumentHint === undefined ? description : `${argumentHint}  ${description}`,
  }));

const COMMANDS = commandList().map(({ name, does }) => ({ name, description: does }));

function waitingIn(queued: SessionState["queued"]): Waiting {
  if (queued.some((task) => task.do === "ask-model")) return "prompt";
  return queued.length > 0 ? "something" : "nothing";
}

function hooksOff({ hooks }: SessionActions): { names: string[]; why: string }[] {
  const reasons = new Map<string, string[]>();
  for (const { hook, off } of hooks())
    if (off) reasons.set(off.words, [...(reasons.get(off.words) ?? []), hook.name]);
  return [...reasons].map(([why, names]) => ({ why, names }));
}
