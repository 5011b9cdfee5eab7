/** What programs say when they want to do more than read. */
const REFUSED =
  /read-only file system|EROFS|operation not permitted|EPERM|network is unreachable|ENETUNREACH|could not resolve (?:host|proxy)|temporary failure in name resolution|name or service not known|EAI_AGAIN|getaddrinfo/i;

/** One line for the model and the person, beside the output of a command that ran into the read-only sandbox. */
export function readingHint(ran: { stdout: string; stderr: string; failed: boolean }): string | undefined {
  // What a command was asked to show may have such words in it.
  return REFUSED.test(ran.stderr) || (ran.failed && REFUSED.test(ran.stdout)) ? HINT : undefined;
}

const HINT =
  "[This ran without a question, because it looked as if it only reads, so it ran where nothing can be written and no network is reached. Make the same call again if it needs more: then the user is asked.]";
