import type { ReactNode } from "react";
import { PlainContext, ThemeContext, type Theme } from "../theme.ts";

/** How everything below it looks. */
export function Appearance(props: { theme: Theme; plain: boolean; children: ReactNode }): ReactNode {
  return (
    <ThemeContext value={props.theme}>
      <PlainContext value={props.plain}>{props.children}</PlainContext>
    </ThemeContext>
  );
}
