import type { DecisionRecord } from "../../hooks/record.ts";
import type { Message, Usage } from "../../messages/blocks.ts";
import type { Checkpoints } from "../../messages/checkpoints.ts";

/** Which session a file is of. */
export interface SessionIdentity {
  readonly id: string;
  readonly file: string;
  readonly cwd: string;
  readonly parent?: string;
}

export interface LoadedSession {
  id: string;
  file: string;
  /** Empty when the header line is damaged. */
  cwd: string;
  /** The session of which it is a copy. */
  parent?: string | undefined;
  messages: Message[];
  /** Of all turns together. */
  usage: Usage | undefined;
  /** The model that was chosen in the session, when one was. */
  model?: string | undefined;
  /** Allow rules that a person kept for the session. */
  rules?: string[];
  /** The last of `messages` is an answer that was coming in when Wave was stopped; no record has it in one piece. */
  cutShort?: boolean;
  /** Tools that were running when Wave died. `repairEdits(messages, interrupted)` answers them and those that never began. */
  interrupted: string[];
  /** What a newer version of Wave wrote into it that this one does not know: it must not be written here. */
  newer?: string;
  /** Bad lines, with their number: reported, never fatal. */
  problems: string[];
  /** What the person calls it. */
  name?: string | undefined;
  /** Only with `{ decisions: true }`, in the order of the file. */
  decisions?: TimedDecision[];
  /** Only with `{ goingBack: true }`: what a rewind needs to know. */
  goingBack?: GoingBack;
}

export interface GoingBack {
  checkpoints: Checkpoints;
  /** The messages that the newest rewind took away. */
  takenAway: Message[];
}

export interface LoadOptions {
  decisions?: boolean;
  goingBack?: boolean;
}

export type TimedDecision = DecisionRecord & {
  ts: string;
  /** The newest message when it was made, when it was read from a file. */
  afterMessage?: string | undefined;
};
