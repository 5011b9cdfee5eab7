import type { TreeChange } from "../programs/git/treeChange.ts";

/** How far a program reaches with what it does to a file. */
export interface Extent {
  below?: boolean;
  within?: string;
  /** Only its rights or times are changed. */
  keepsContent?: boolean;
  through?: "archive" | Omit<TreeChange, "folder">;
  away?: boolean;
  /** Text becomes the file, or is put behind it, as Write and Edit do. */
  text?: boolean;
  /** That it is a file is no more than possible. */
  isWord?: boolean;
  onlyLooks?: boolean;
}
