import { createContext, use, useEffect, useMemo, useState, type ReactNode } from "react";
import { codeLines, type Highlight } from "../view/code.ts";
import { screenText } from "../view/screenText.ts";
import { Lines } from "./Lines.tsx";

const HighlightContext = createContext<Highlight | undefined>(undefined);

/** What code is coloured with; undefined until it has been loaded. */
export function useHighlight(): Highlight | undefined {
  return use(HighlightContext);
}

/** The grammars are loaded on their own: a first frame does not wait for them. */
export async function loadHighlight(): Promise<Highlight> {
  const { createHighlight } = await import("../view/highlight.ts");
  return createHighlight();
}

/** Loads what colours code when it is first drawn, unless it is handed over. Until then code is plain. */
export function HighlightProvider(props: {
  highlight?: Highlight | undefined;
  children: ReactNode;
}): ReactNode {
  const [loaded, setLoaded] = useState(() => props.highlight);
  const isLoaded = loaded !== undefined;
  useEffect(() => {
    if (isLoaded) return undefined;
    let mounted = true;
    loadHighlight().then(
      (highlight) => {
        if (mounted) setLoaded(() => highlight);
      },
      // An installation without the grammars shows code without colours.
      () => undefined,
    );
    return () => {
      mounted = false;
    };
  }, [isLoaded]);
  return <HighlightContext value={loaded}>{props.children}</HighlightContext>;
}

export function CodeBlock(props: { code: string; language: string; width: number }): ReactNode {
  const { code, language, width } = props;
  const highlight = useHighlight();
  const lines = useMemo(
    () => codeLines(screenText(code), { language, width, highlight }),
    [code, language, width, highlight],
  );
  return <Lines lines={lines} />;
}
