import type { Came } from "../keyboard/guard.ts";
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
  came: Came;
  columns: number;
  onChoose: (session: ChosenSession) => void;
  onChooseAnother: () => void;
  onClose: () => void;
  /** Ctrl-C, whenever it comes. */
  onCancel?: (() => void) | undefined;
}) {
  const { refused, columns } = props;
  const [, , asks] = usePanel({
    name: "refused-session",
    came: props.came,
    first: () => ({ isAnswered: false }),
    press: (now, press) => {
      const effect = now.isAnswered ? undefined : pressInRefused(refused, press);
      // A key that is held down must not answer twice.
      return effect ? { now: { isAnswered: true }, effect } : { now };
    },
    carryOut: (effect) => {
      if (effect.do === "choose") props.onChoose(effect.session);
      if (effect.do === "back") props.onChooseAnother();
      if (effect.do === "close") props.onClose();
    },
    onCancel: props.onCancel,
  });
  return (
    <Panel
      asks={asks}
      came={props.came}
      title="This session cannot be opened"
      keys={refusedKeys(refused)}
      columns={columns}
    >
      <Lines lines={refusedLines(refused, columns)} />
    </Panel>
  );
}
