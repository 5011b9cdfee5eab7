import { shortenedInside } from "../utils/quoted.ts";

/** A word of a command line may be as long as the line, which is shown beside the reason anyway. */
const LONGEST_SAYING = 300;

/** What Wave says about a call, of a bounded length. What hooks say is their own. */
export const brief = (text: string) => shortenedInside(text, LONGEST_SAYING);
