/** What a tool is about to do to a file. */
export interface ComingChange {
  toolId: string;
  /** Where the bytes are. */
  path: string;
  /** Undefined: there is no file. */
  before: { bytes: Uint8Array; mode: number } | undefined;
  after: Uint8Array;
}

/** Keeps what is there before it is gone. */
export interface FileJournal {
  /** Resolves when the change may be made. Never rejects: what could not be kept is said, and the work goes on. */
  willChange(change: ComingChange): Promise<void>;
  /** Hooks of a call have changed the file that the call wrote: that is part of what the call did. */
  changedByHooks(path: string, toolId: string): Promise<void>;
}
