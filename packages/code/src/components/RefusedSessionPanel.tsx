import {
  pressInRefused,
  refusedKeys,
  refusedLines,
  type ChosenSession,
  type RefusedSession,
} from "../panels/refusedSession.ts";
import { Lines } from "./Lines.tsx";
import { Panel } from "./Panel.tsx";
import { usePanel } from "./usePanel.ts";

/** Why a session cannot be gone on with, and what there is instead. */
export function RefusedSessionPanel(props: {
  refused: RefusedSession;
  columns: number;
  onChoose: (session: ChosenSession) => void;
  onChooseAnother: () => void;
  onClose: () => void;
}) {
  const { refused, columns } = props;
  usePanel(
    () => undefined,
    (_now, press) => {
      const step = pressInRefused(refused, press);
      if (step.do === "choose") props.onChoose(step.session);
      if (step.do === "choose-another") props.onChooseAnother();
      if (step.do === "close") props.onClose();
      return undefined;
    },
  );
  return (
    <Panel title="This session cannot be opened" keys={refusedKeys(refused)} columns={columns}>
      <Lines lines={refusedLines(refused, columns)} />
    </Panel>
  );
}
