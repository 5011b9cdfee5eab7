import { useEffect, useState } from "react";
import { HooksPanel } from "../../components/HooksPanel.tsx";
import { waitingWords } from "../../panels/reviewWords.ts";
import type { EarlierDecisions } from "../../panels/why.ts";
import { openReview } from "../reviewing.ts";
import type { PanelProps } from "./panelScreen.ts";

/** With what was decided before the session was resumed, which is in its file. */
export function Hooks(props: PanelProps<"hooks">) {
  const { columns, rows, state, session, controller, folder, onClose, onOpen } = props;
  const readEarlier = session.earlierDecisions;
  const [before, setBefore] = useState<EarlierDecisions>({ are: "being-read" });
  useEffect(() => {
    readEarlier().then(
      (decisions) => setBefore({ are: "read", decisions }),
      (error: unknown) =>
        setBefore({ are: "unreadable", why: error instanceof Error ? error.message : String(error) }),
    );
  }, [readEarlier]);
  const decisions = before.are === "read" ? before.decisions : [];
  return (
    <HooksPanel
      {...{ columns, rows, folder, onClose }}
      hooks={session.hooks()}
      stats={state.hookTally}
      history={[...decisions, ...state.decisions]}
      earlier={before}
      openAt={props.opening.view}
      waits={waitingWords({
        hooks: session.hooks(),
        changedFiles: session.changedFiles(),
        instructionsOut: session.leavesInstructionsOut(),
      })}
      onReview={() => {
        onClose();
        openReview("everything", "opened", { controller, session, open: onOpen });
      }}
      onSwitch={session.switchHook}
    />
  );
}
