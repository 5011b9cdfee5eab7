import { SessionChooser } from "../../components/SessionChooser.tsx";
import type { PanelProps } from "./panelScreen.ts";

export function Sessions(props: PanelProps<"sessions">) {
  const {
    columns,
    rows,
    session,
    opening: { query },
    onClose,
    onLeave,
  } = props;
  return (
    <SessionChooser
      {...{ columns, rows, query, onClose }}
      sources={session}
      onChoose={(chosen) => onLeave({ to: "session", ...chosen })}
    />
  );
}
