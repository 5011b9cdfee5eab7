import xterm from "@xterm/headless";
import type { Terminal } from "@xterm/headless";
import { describe, expect, it } from "vitest";
import { PALETTES } from "./palette.ts";
import { renderScreenToSvg } from "./screenSvg.ts";

async function screenWith(text: string, { cols = 20, rows = 2 } = {}): Promise<Terminal> {
  const terminal = new xterm.Terminal({ cols, rows, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  return terminal;
}

const svgOf = async (text: string, size = {}) => renderScreenToSvg(await screenWith(text, size));
const { ansi, background } = PALETTES.dark;

describe("a picture of the screen", () => {
  it("is one svg of the size of the screen, with its text in place", async () => {
    const svg = await svgOf("hello\r\n  world");
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="196" height="64" /);
    expect(svg).toContain(`<text x="0" y="13.5" textLength="42"`);
    expect(svg).toContain(">hello</text>");
    expect(svg).toContain(`y="31.5"`);
    expect(svg.trimEnd().endsWith("</svg>")).toBe(true);
  });

  it.each([
    ["a colour of the sixteen", "\u001b[31mx", `fill="${ansi[1]}">x<`],
    ["a bright colour", "\u001b[92mx", `fill="${ansi[10]}">x<`],
    ["a colour of the cube", "\u001b[38;5;208mx", `fill="#ff8700">x<`],
    ["a grey", "\u001b[38;5;244mx", `fill="#808080">x<`],
    ["a colour of its own", "\u001b[38;2;1;2;255mx", `fill="#0102ff">x<`],
    ["bold", "\u001b[1mx", ` font-weight="bold">x<`],
    ["dim", "\u001b[2mx", ` opacity="0.6">x<`],
    ["italic and underlined", "\u001b[3;4mx", ` font-style="italic" text-decoration="underline">x<`],
    ["reversed", "\u001b[7mx", `fill="${background}">x<`],
    ["a background", "\u001b[44mx", `height="18" fill="${ansi[4]}"/>`],
  ])("shows %s", async (_what, text, expected) => {
    expect(await svgOf(text)).toContain(expected);
  });

  it("shows characters that mean something in XML as themselves", async () => {
    expect(await svgOf('<a & "b">')).toContain("&lt;a &amp; &quot;b&quot;&gt;</text>");
  });

  it("puts what follows a wide character into the right column", async () => {
    const svg = await svgOf("漢x");
    expect(svg).toContain(`<text x="0" y="13.5" textLength="16.8"`);
    expect(svg).toContain(`<text x="16.8" y="13.5" textLength="8.4"`);
  });

  it("draws lines and blocks from edge to edge of their cells", async () => {
    const svg = await svgOf("╭─\r\n│█");
    expect(svg).toContain(`d="M8.4 9Q4.2 9 4.2 18"`);
    expect(svg).toContain(`d="M12.6 9L16.8 9M12.6 9L8.4 9"`);
    expect(svg).toContain(`d="M4.2 27L4.2 18M4.2 27L4.2 36"`);
    expect(svg).toContain(
      `<rect x="8.4" y="18" width="8.4" height="18" fill="${PALETTES.dark.foreground}"/>`,
    );
    expect(svg).not.toContain("<text");
  });

  it("shows what is visible, not what has scrolled away", async () => {
    const svg = await svgOf("one\r\ntwo\r\nthree");
    expect(svg).not.toContain(">one<");
    expect(svg).toContain(">three<");
  });

  it("ends with the last row that has something on it, when that is wanted", async () => {
    const screen = await screenWith("one\r\n\r\nthree", { rows: 10 });
    expect(renderScreenToSvg(screen)).toContain(`height="208"`);
    expect(renderScreenToSvg(screen, { rows: "used" })).toContain(`height="82"`);
  });

  it("has a light look, and a title for those who cannot see it", async () => {
    const svg = renderScreenToSvg(await screenWith("x"), { theme: "light", title: "Wave at work" });
    expect(svg).toContain(`fill="${PALETTES.light.background}"`);
    expect(svg).toContain("<title>Wave at work</title>");
  });
});
