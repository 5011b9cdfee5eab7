import { dirname } from "node:path";
import { errorCode } from "../../utils/errorCode.ts";

export interface SaveProblem {
  /** One sentence for the user on why a session is not saved, and what helps. */
  problem: string;
  /** The cause alone. */
  why: string;
  /** Whether it was said that what is new will be written later. In a folder that cannot be written nobody expects that. */
  promised: boolean;
}

export function saveProblem(error: Error, file: string): SaveProblem {
  const { why, help } = reason(error, file);
  const promised = ["ENOSPC", "EDQUOT", "EIO"].includes(errorCode(error) ?? "");
  return {
    why,
    promised,
    problem: `This session is not being saved: ${why}${help === "" ? "" : `; ${help}`}.`,
  };
}

/** What happened, and what helps or what Wave does about it. */
function reason(error: Error, file: string): { why: string; help: string } {
  const folder = dirname(file);
  switch (errorCode(error)) {
    case "ENOSPC":
      return { why: `the disk of ${folder} is full`, help: AS_SOON_AS_THERE_IS_SPACE };
    case "EDQUOT":
      return { why: `your disk quota in ${folder} is used up`, help: AS_SOON_AS_THERE_IS_SPACE };
    case "EROFS":
      return {
        why: `${folder} is on a read-only disk`,
        help: "set WAVE_HOME to a folder that can be written",
      };
    case "EACCES":
    case "EPERM":
      return {
        why: `there is no permission to write in ${folder}`,
        help: "correct it, or set WAVE_HOME to a folder of your own",
      };
    case "ELOOP":
      return { why: `${file} is a symbolic link, which Wave does not follow`, help: "remove it" };
    case "ENOTDIR":
    case "EEXIST":
      return {
        why: `${folder} cannot be a folder, because a file is in its way`,
        help: "move that file, or set WAVE_HOME elsewhere",
      };
    case "ENOENT":
      return { why: `${folder} cannot be made`, help: "set WAVE_HOME to a folder that can be" };
    case "EISDIR":
    case "ENOTFILE":
      return { why: `${file} is not a plain file`, help: "move it away" };
    case "EIO":
      return {
        why: `the disk of ${folder} reports an error (EIO)`,
        help:
          "what is new is kept in memory and written to a new file as soon as that works. Copy what you need to another " +
          "disk",
      };
    default:
      return { why: error.message, help: "" };
  }
}

const AS_SOON_AS_THERE_IS_SPACE = "what is new is kept in memory and written as soon as there is space";
