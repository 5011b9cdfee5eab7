import type { ReactNode } from "react";
import type { Overlay, PanelName, PanelOpenings } from "./overlay.ts";
import { Doctor } from "./panels/Doctor.tsx";
import { Help } from "./panels/Help.tsx";
import { Hooks } from "./panels/Hooks.tsx";
import { Models } from "./panels/Models.tsx";
import { Opened } from "./panels/Opened.tsx";
import type { PanelProps, PanelScreen } from "./panels/panelScreen.ts";
import { Permissions } from "./panels/Permissions.tsx";
import { Review } from "./panels/Review.tsx";
import { Rewind } from "./panels/Rewind.tsx";
import { Sessions } from "./panels/Sessions.tsx";
import { Tasks } from "./panels/Tasks.tsx";

type PanelTable = { [Name in PanelName]: (props: PanelProps<Name>) => ReactNode };

const PANELS: PanelTable = {
  opened: Opened,
  hooks: Hooks,
  sessions: Sessions,
  rewind: Rewind,
  models: Models,
  permissions: Permissions,
  tasks: Tasks,
  doctor: Doctor,
  review: Review,
  help: Help,
};

/** What covers the chat, if anything does. */
export function Panels({ overlay, ...screen }: PanelScreen & { overlay: Overlay }) {
  return overlay.show === "chat" ? undefined : drawn(overlay.show, overlay, screen);
}

/** `show` names the row, and so what the panel was opened with. */
function drawn<Name extends PanelName>(show: Name, opening: PanelOpenings[Name], screen: PanelScreen) {
  const Drawn: (props: PanelProps<Name>) => ReactNode = PANELS[show];
  return <Drawn {...screen} opening={opening} />;
}
