import { useEffect, useState } from "react";
import { ModelPicker, type ModelsShown } from "../../components/ModelPicker.tsx";
import type { PanelScreen } from "./panelScreen.ts";

export function Models({ columns, rows, state, session, controller, onClose }: PanelScreen) {
  const list = session.listModels;
  const [shown, setShown] = useState<ModelsShown>({ are: "loading" });
  useEffect(() => {
    list().then(
      (models) => setShown({ are: "listed", models }),
      (error: unknown) =>
        setShown({ are: "unknown", why: error instanceof Error ? error.message : String(error) }),
    );
  }, [list]);
  return (
    <ModelPicker
      {...{ columns, rows, shown, onClose }}
      present={state.model}
      onChoose={(name) => controller.setModel(name)}
    />
  );
}
