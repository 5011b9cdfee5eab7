import { Box, useWindowSize } from "ink";
import type { ReactNode } from "react";
import type { PermissionMode } from "wave-agent-sdk";
import { PromptBox } from "../components/PromptBox.tsx";
import { StatusLine } from "../components/StatusLine.tsx";
import { PLACEHOLDER } from "../input/prompt.ts";
import { ThemeContext, type Theme } from "../theme.ts";

export interface FirstFrameProps {
  theme: Theme;
  shownFolder: string;
  branch: string | undefined;
  model: string | undefined;
  mode: PermissionMode;
  draft: string | undefined;
}

/**
 * What a new session looks like before there is one. It reads no keys: they wait in the terminal for the prompt that comes in
 * its place, so that nothing has to be handed over.
 */
export function FirstFrame({ theme, draft, shownFolder, ...facts }: FirstFrameProps): ReactNode {
  const { columns } = useWindowSize();
  return (
    <ThemeContext value={theme}>
      <Box flexDirection="column" width={columns}>
        <PromptBox
          isActive={false}
          width={columns}
          mode={facts.mode}
          queued={[]}
          history={[]}
          commands={[]}
          listFiles={noFiles}
          placeholder={PLACEHOLDER}
          {...(draft === undefined ? {} : { initialText: draft })}
          onSubmit={nothing}
          onAction={nothing}
        />
        <StatusLine
          {...facts}
          columns={columns}
          folder={shownFolder}
          tokens={undefined}
          hooksRunning={[]}
          hooksOff={[]}
          failedOpen={0}
          queued={0}
        />
      </Box>
    </ThemeContext>
  );
}

const nothing = () => {};
const noFiles = () => Promise.resolve([]);
