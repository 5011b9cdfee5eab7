import { useEffect, useState } from "react";
import { DoctorPanel } from "../components/DoctorPanel.tsx";
import { HelpPanel } from "../components/HelpPanel.tsx";
import { HooksPanel, type HooksPanelProps } from "../components/HooksPanel.tsx";
import { ModelPicker, type ModelsShown } from "../components/ModelPicker.tsx";
import { OpenedPanel } from "../components/OpenedPanel.tsx";
import { RewindPanel } from "../components/RewindPanel.tsx";
import { SessionChooser } from "../components/SessionChooser.tsx";
import { SettingsReviewPanel } from "../components/SettingsReviewPanel.tsx";
import type { Finding } from "../doctor/finding.ts";
import { keyHelp } from "../input/keys.ts";
import { waitingWords } from "../panels/reviewWords.ts";
import type { EarlierDecisions } from "../panels/why.ts";
import type { AppProps } from "./App.tsx";
import { rewindTo } from "./goingBack.ts";
import type { Overlay } from "./overlay.ts";
import { answerReview, openReview } from "./reviewing.ts";
import type { SessionActions } from "./sessionActions.ts";
import type { SessionState } from "./sessionState.ts";
import { commandsByUse } from "./slashCommands.ts";

interface PanelsProps extends AppProps {
  overlay: Overlay;
  state: SessionState;
  columns: number;
  rows: number;
  onClose: () => void;
  onOpen: (overlay: Overlay) => void;
}

/** What covers the chat, if anything does. */
export function Panels(given: PanelsProps) {
  const { overlay, state, columns, rows, onClose, onOpen, session, ...props } = given;
  const size = { columns, rows };
  switch (overlay.show) {
    case "chat":
      return undefined;
    case "help":
      return <HelpPanel rows={HELP} columns={columns} height={rows} onClose={onClose} />;
    case "opened":
      return (
        <OpenedPanel
          {...size}
          finished={state.shown}
          live={state.live}
          folder={props.folder}
          onClose={onClose}
        />
      );
    case "doctor":
      return <Doctor {...size} examine={session.examine} onClose={onClose} />;
    case "hooks":
      return (
        <Hooks
          {...size}
          readEarlier={session.earlierDecisions}
          hooks={session.hooks()}
          stats={state.hookTally}
          history={state.decisions}
          folder={props.folder}
          openAt={overlay.view}
          waits={waitingWords({
            hooks: session.hooks(),
            changedFiles: session.changedFiles(),
            instructionsOut: session.leavesInstructionsOut(),
          })}
          onReview={() => {
            onClose();
            openReview("everything", "opened", { controller: props.controller, session, open: onOpen });
          }}
          onSwitch={session.switchHook}
          onClose={onClose}
        />
      );
    case "review":
      return (
        <SettingsReviewPanel
          {...size}
          key={overlay.review.id}
          review={overlay.review}
          folder={props.folder}
          came={overlay.came}
          onAnswer={(answer) => {
            onClose();
            void answerReview(overlay.review, answer, {
              controller: props.controller,
              session,
              open: onOpen,
            });
          }}
        />
      );
    case "models":
      return (
        <Models
          {...size}
          list={session.listModels}
          present={state.model}
          onClose={onClose}
          onChoose={(name) => props.controller.setModel(name)}
        />
      );
    case "rewind":
      return <Rewind {...size} {...{ session, onClose }} controller={props.controller} />;
    case "sessions":
      return (
        <SessionChooser
          {...size}
          sources={session}
          query={overlay.query}
          onClose={onClose}
          onChoose={(chosen) => props.onLeave({ to: "session", ...chosen })}
        />
      );
  }
}

/** With what was decided before the session was resumed, which is in its file. */
function Hooks({
  readEarlier,
  ...panel
}: HooksPanelProps & { readEarlier: SessionActions["earlierDecisions"] }) {
  const [before, setBefore] = useState<EarlierDecisions>({ are: "being-read" });
  useEffect(() => {
    readEarlier().then(
      (decisions) => setBefore({ are: "read", decisions }),
      (error: unknown) =>
        setBefore({ are: "unreadable", why: error instanceof Error ? error.message : String(error) }),
    );
  }, [readEarlier]);
  const decisions = before.are === "read" ? before.decisions : [];
  return <HooksPanel {...panel} history={[...decisions, ...panel.history]} earlier={before} />;
}

function Models(props: {
  columns: number;
  rows: number;
  list: SessionActions["listModels"];
  present: string | undefined;
  onChoose: (name: string) => void;
  onClose: () => void;
}) {
  const { list, ...rest } = props;
  const [shown, setShown] = useState<ModelsShown>({ are: "loading" });
  useEffect(() => {
    list().then(
      (models) => setShown({ are: "listed", models }),
      (error: unknown) =>
        setShown({ are: "unknown", why: error instanceof Error ? error.message : String(error) }),
    );
  }, [list]);
  return <ModelPicker {...rest} shown={shown} />;
}

function Doctor(props: {
  columns: number;
  rows: number;
  examine: SessionActions["examine"];
  onClose: () => void;
}) {
  const { examine, ...rest } = props;
  const [findings, setFindings] = useState<readonly Finding[] | "looking">("looking");
  useEffect(() => void examine().then(setFindings), [examine]);
  return <DoctorPanel {...rest} findings={findings} />;
}

/** The prompts are those of the moment in which it was opened: nothing is said while it is open. */
function Rewind(props: Pick<PanelsProps, "session" | "controller" | "columns" | "rows" | "onClose">) {
  const { session, controller, ...rest } = props;
  const [{ points, now }] = useState(() => ({ points: session.rewindPoints(), now: Date.now() }));
  return (
    <RewindPanel
      {...rest}
      points={points}
      now={now}
      planFor={session.planRewind}
      folder={session.folder}
      onRewind={(point, options) => void rewindTo(point, options, { session, controller })}
    />
  );
}

const HELP = [
  ...keyHelp(),
  ...[
    { keys: "!command", does: "run it in your shell; the model sees it with the next prompt" },
    { keys: "#note", does: "add a line to AGENTS.md, which the model reads" },
  ].map((row) => ({ ...row, where: "At the beginning of a prompt" })),
  ...commandsByUse().map(({ name, does }) => ({ keys: `/${name}`, does, where: "Commands" })),
];
