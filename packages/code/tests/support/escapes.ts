/** What text from outside may try on a terminal: [what it is, the bytes]. */
export const ESCAPES: readonly [string, string][] = [
  ["a link (OSC 8)", "\u001b]8;;http://evil.example\u001b\\click\u001b]8;;\u001b\\"],
  ["a write to the clipboard (OSC 52)", "\u001b]52;c;ZXZpbA==\u0007"],
  ["a window title (OSC 0)", "\u001b]0;owned\u0007"],
  ["a notification (OSC 9)", "\u001b]9;hello\u001b\\"],
  ["a colour (SGR)", "\u001b[31mred\u001b[0m"],
  ["hidden text (SGR 8)", "\u001b[8mhidden\u001b[28m"],
  ["a cleared screen (CSI J)", "\u001b[2J\u001b[H"],
  ["a moved cursor (CSI A)", "safe\u001b[1A\u001b[2Kevil"],
  ["a scroll region (CSI r)", "\u001b[1;5r"],
  ["a mode (CSI h)", "\u001b[?1049h\u001b[?25l"],
  ["a device query (CSI c)", "\u001b[c\u001b[6n"],
  ["a device control string (DCS)", "\u001bP1$r0m\u001b\\"],
  ["a graphic (APC)", "\u001b_Gf=24;AAAA\u001b\\"],
  ["a privacy message (PM)", "\u001b^x\u001b\\"],
  ["a reset (RIS)", "\u001bc"],
  ["CSI as one byte (C1)", "\u009b31mred"],
  ["OSC as one byte (C1)", "\u009d0;owned\u009c"],
  ["DCS as one byte (C1)", "\u0090q\u009c"],
  ["an unfinished sequence", "text \u001b["],
  ["a carriage return", "rm -rf /\recho hello"],
  ["backspaces", "evil\b\b\b\bgood"],
  ["a bell", "ding\u0007"],
  ["shift out", "a\u000eb\u000fc"],
  ["a form feed and a vertical tab", "a\fb\vc"],
  ["a NUL and a DEL", "a\u0000b\u007fc"],
  ["text turned around (bidi override)", "a\u202eb\u202cc"],
  ["isolates (bidi)", "a\u2066b\u2069c"],
  ["direction marks", "a\u200eb\u200fc\u061cd"],
  ["a zero-width space", "ad\u200bmin"],
  ["a word joiner", "ad\u2060min"],
  ["a byte order mark", "\ufeffadmin"],
  ["a soft hyphen", "ad\u00admin"],
  ["tag characters", "a\u{e0041}\u{e007f}b"],
  ["line separators", "a\u2028b\u2029c"],
  ["a lone surrogate", "a\ud800b"],
  ["an entity that stands for escape", "&#27;[31m &#x1b;]0;x&#7; &#x9b;2J &#8238;x a&#9;b"],
];

/** Everything a terminal would act on or hide, except line breaks. */
export const ACTS =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Surrogate}|[\u{e0000}-\u{e007f}]/u;
