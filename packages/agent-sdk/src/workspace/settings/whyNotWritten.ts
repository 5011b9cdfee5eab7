import { dirname } from "node:path";
import { errorCode } from "../../utils/errorCode.ts";

/** The second half of a sentence: why a file cannot be written, and what helps. */
export function whyNotWritten(error: unknown, file: string): string {
  switch (errorCode(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return "the disk is full; free some space and try again";
    case "EIO":
      return "the disk reports an error (EIO); try again, and copy what you need to another disk";
    case "EROFS":
      return "it is on a read-only disk";
    case "EACCES":
    case "EPERM":
      return `there is no permission to write it or its folder ${dirname(file)}; correct that and try again`;
    case "EEXIST":
    case "ENOTDIR":
      return `${dirname(file)} cannot be a folder, because a file is in its way; move that file`;
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
