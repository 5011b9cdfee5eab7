import { dirname } from "node:path";
import { errorCode } from "../utils/errorCode.ts";

/** One sentence for the user on why a session was not saved, and what helps. */
export function saveProblem(error: Error, file: string): string {
  return `This session is not being saved: ${reason(error, file)}`;
}

function reason(error: Error, file: string): string {
  const folder = dirname(file);
  switch (errorCode(error)) {
    case "ENOSPC":
      return `the disk of ${folder} is full; what is new is kept in memory and written as soon as there is space.`;
    case "EDQUOT":
      return `your disk quota in ${folder} is used up; what is new is kept in memory and written as soon as there is space.`;
    case "EROFS":
      return `${folder} is on a read-only disk; set WAVE_HOME to a folder that can be written.`;
    case "EACCES":
    case "EPERM":
      return `there is no permission to write in ${folder}; correct it, or set WAVE_HOME to a folder of your own.`;
    case "ELOOP":
      return `${file} is a symbolic link, which Wave does not follow; remove it.`;
    case "ENOTDIR":
    case "EEXIST":
      return `${folder} cannot be a folder, because a file is in its way; move that file, or set WAVE_HOME elsewhere.`;
    case "EISDIR":
    case "ENOTFILE":
      return `${file} is not a plain file; move it away.`;
    case "EIO":
      return (
        `the disk of ${folder} reports an error (EIO); what is new is kept in memory and written to a new file as soon as ` +
        "that works. Copy what you need to another disk."
      );
    default:
      return `${error.message}.`;
  }
}
