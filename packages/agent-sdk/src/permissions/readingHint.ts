/** What programs say when they want to do more than read. */
const REFUSED =
  /read-only file system|EROFS|operation not permitted|EPERM|network is unreachable|ENETUNREACH|connection refused|ECONNREFUSED|address family not supported|EAFNOSUPPORT|could not resolve (?:host|proxy)|temporary failure in name resolution|name or service not known|EAI_AGAIN|getaddrinfo/i;

/** What they say of a file that is not there for them, and the files they name in that line. */
const MISSING = /no such file|ENOENT|permission denied|EACCES/i;
const ABSOLUTE_PATHS = /\/[^\s:;,'"`()<>]+/g;

/**
 * One line for the model and the person, beside the output of a command that ran into the read-only sandbox. `isHidden`: whether a
 * place is never there for it, whatever lies there; so the line does not tell what does.
 */
export function readingHint(
  ran: { stdout: string; stderr: string; failed: boolean },
  isHidden: (path: string) => boolean,
): string | undefined {
  // What a command was asked to show may have such words in it.
  if (REFUSED.test(ran.stderr) || (ran.failed && REFUSED.test(ran.stdout))) return `[${WHY}.${NEXT}]`;
  const lines = ran.stderr.split("\n").filter((line) => MISSING.test(line));
  const hidden = lines.flatMap((line) => line.match(ABSOLUTE_PATHS) ?? []).find(isHidden);
  return hidden === undefined
    ? undefined
    : `[${WHY}, and where homes and other projects are empty: ${hidden} may be there.${NEXT}]`;
}

const WHY =
  "This ran without a question, because it looked as if it only reads, so it ran where nothing can be written and no network is reached";
const NEXT = " Make the same call again if it needs more: then the user is asked.";
