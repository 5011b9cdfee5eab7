import type { CommandExpansionPart } from "unbash";

/**
 * `"$(cat <<'EOF' … EOF)"`: the way to write a long text, such as the message of a commit. What cat prints is what stands
 * there. Only in double quotes: elsewhere bash cuts it into words.
 */
export function fixedText({ script }: CommandExpansionPart): string | undefined {
  const [statement, ...others] = script?.commands ?? [];
  const command = statement?.command;
  if (!statement || others.length > 0 || script?.errors?.length || statement.background) return undefined;
  if (command?.type !== "Command" || command.name?.text !== "cat" || command.args.length > 0)
    return undefined;
  const [document, ...more] = command.redirects;
  if (command.prefix.length > 0 || more.length > 0 || document?.type !== "HereDoc") return undefined;
  if (!document.delimiter?.quoted || !document.closing || document.descriptor) return undefined;
  const { text } = document.body;
  if (!endsTheSameForAll(text)) return undefined;
  return (document.operator === "<<-" ? text.replaceAll(/^\t+/gm, "") : text).replace(/(?<!\n)\n+$/, "");
}

/**
 * Old shells look for the end of `$(` without knowing where the text ends, so a `)` in it may be the end for them, and what
 * follows may run.
 */
function endsTheSameForAll(text: string): boolean {
  const end = text.indexOf(")");
  if (end < 0 || !/`|\$[({]/.test(text.slice(end))) return true;
  const rest = text.replaceAll(/`[^`'"]*`/g, "");
  if (/['"`\\]/.test(rest)) return false;
  let open = 0;
  for (const [mark] of rest.matchAll(/[()]/g)) {
    open += mark === "(" ? 1 : -1;
    if (open < 0) return false;
  }
  return open === 0;
}
