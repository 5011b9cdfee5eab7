/** Breaks text at blanks so that no line is longer than `width`; a longer word is cut. Line breaks of the text stay. */
export function wrapText(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(1, width)));
}

function wrapLine(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const indent = /^ */.exec(line)?.[0].slice(0, Math.floor(width / 2)) ?? "";
  const lines: string[] = [];
  let current = indent;
  for (const word of line.trim().split(/ +/)) {
    for (const piece of cutWord(word, width - indent.length)) {
      if (current === indent) current += piece;
      else if (current.length + 1 + piece.length <= width) current += ` ${piece}`;
      else {
        lines.push(current);
        current = indent + piece;
      }
    }
  }
  return [...lines, current];
}

function cutWord(word: string, width: number): string[] {
  const pieces: string[] = [];
  // By code point, so that no emoji is cut in half.
  let piece = "";
  for (const character of word) {
    if (piece.length + character.length > width && piece !== "") {
      pieces.push(piece);
      piece = "";
    }
    piece += character;
  }
  return [...pieces, piece];
}
