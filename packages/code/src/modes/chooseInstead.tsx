import { Box, useWindowSize } from "ink";
import { useState } from "react";
import {
  listSessions,
  skippedSessions,
  searchSessions,
  sessionHolder,
  sessionsDirFor,
  type SessionError,
} from "wave-agent-sdk";
import type { Surroundings } from "../cli/surroundings.ts";
import { Appearance } from "../components/Appearance.tsx";
import { SessionChooser, type SessionSources } from "../components/SessionChooser.tsx";
import type { ChosenSession, RefusedSession } from "../panels/refusedSession.ts";
import { isPlain, themeFor } from "../theme.ts";
import type { Interruption } from "./interruption.ts";
import { projectDir, waveHome } from "./places.ts";
import type { Stage } from "./stage.tsx";

/** The sessions of the folder Wave was started in. */
export function sessionSources(around: Surroundings): SessionSources {
  const sessionsDir = sessionsDirFor(waveHome(around.env), projectDir(around));
  return {
    listSessions: () => listSessions(sessionsDir),
    skippedSessions: () => skippedSessions(sessionsDir),
    searchTexts: (text, signal) => searchSessions(sessionsDir, text, { signal }),
    sessionHolder: ({ file }) => sessionHolder(file),
  };
}

/** Asks what to do about a session that could not be opened, while there is none on the screen. */
export async function chooseInstead(
  error: SessionError,
  { stage, interruption }: { stage: Stage; interruption: Interruption },
  around: Surroundings,
): Promise<ChosenSession | "leave"> {
  const { promise, resolve } = Promise.withResolvers<ChosenSession | "leave">();
  interruption.onNext(() => resolve("leave"));
  const refused: RefusedSession = error.held
    ? { because: "held", held: error.held }
    : { because: "failed", why: error.message, copyOf: error.copyOf };
  stage.show(
    <Appearance theme={themeFor(around.env)} plain={isPlain(around.env)}>
      <Instead refused={refused} sources={sessionSources(around)} onChoose={resolve} />
    </Appearance>,
  );
  return promise;
}

function Instead(props: {
  refused: RefusedSession;
  sources: SessionSources;
  onChoose: (choice: ChosenSession | "leave") => void;
}) {
  const { columns, rows } = useWindowSize();
  const [answered, setAnswered] = useState(false);
  const answer = (choice: ChosenSession | "leave") => {
    setAnswered(true);
    props.onChoose(choice);
  };
  if (answered) return null;
  return (
    <Box width={columns}>
      <SessionChooser
        {...{ columns, refused: props.refused, sources: props.sources }}
        rows={rows - 1}
        onChoose={answer}
        onClose={() => answer("leave")}
        onCancel={() => answer("leave")}
      />
    </Box>
  );
}
