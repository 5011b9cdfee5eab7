const MAX_LENGTH = 100;

/** A name as it is written down: one line, without blanks at its ends. Throws TypeError with a sentence for the person. */
export function checkedName(text: string): string {
  const name = text.replaceAll(/\s+/g, " ").trim();
  if (name === "") throw new TypeError("a name needs at least one character that can be seen");
  const length = Array.from(name).length;
  if (length > MAX_LENGTH) {
    throw new TypeError(`the name has ${length} characters; ${MAX_LENGTH} is the most that a list can show`);
  }
  return name;
}
