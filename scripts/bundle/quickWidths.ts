import type { Plugin } from "rolldown";
import { NARROW } from "../../packages/code/src/view/narrow.ts";

/** Ink asks string-width for the width of everything it draws, and that looks at all but plain ASCII as if it could be an emoji. */
export const quickWidths: Plugin = {
  name: "quick-widths",
  transform: {
    filter: { id: /[\\/]string-width[\\/]index\.js$/ },
    handler(code) {
      const plainAscii = String.raw`/^[\u0020-\u007E]*$/`;
      if (!code.includes(plainAscii))
        throw new Error("string-width takes its short way otherwise now: see scripts/bundle/quickWidths.ts");
      return code.replace(plainAscii, String(NARROW));
    },
  },
};
