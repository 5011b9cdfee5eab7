import type { TurnEnd } from "wave-agent-sdk";
import type { SpokenReply } from "wave-agent-sdk/testing";

/** What `expect.ts` of a hook folder says: what the hook needs, and scenes that show what it does. */
export interface HookExample {
  /** Programs without which the hook cannot work. A machine that lacks one skips the folder, aloud. */
  needs: readonly string[];
  scenes: readonly Scene[];
}

/** One session in a project of its own, into which the hook is installed as its README says. */
export interface Scene {
  title: string;
  /** Files of the project, by path. */
  project?: Readonly<Record<string, string>>;
  /** Shell scripts that stand for programs this machine may lack, or that would leave it. They come first in PATH. */
  programs?: Readonly<Record<string, string>>;
  /** Shell commands that make the project what it has to be, such as a git repository. */
  setUp?: string;
  /** Default: some prompt about which the hook has no opinion. */
  prompt?: string;
  /** What the model answers, one entry per request. All of them have to be used. */
  model: readonly SpokenReply[];
  /** What a person answers when asked. Absent: nobody is there. */
  person?: "allow" | "deny";
  expect: Expectation;
}

/** Texts are parts of what must be found. */
export interface Expectation {
  /** Default: "done". */
  end?: TurnEnd["because"];
  /** One entry per call of the model, in its order. */
  calls?: readonly CallExpectation[];
  /** In a message after the system prompt. */
  toModel?: readonly string[];
  notToModel?: readonly string[];
  /** In an error or a warning. */
  toUser?: readonly string[];
  notInSession?: readonly string[];
  files?: Readonly<Record<string, string>>;
}

export interface CallExpectation {
  ran: boolean;
  /** In what the model got as the result. */
  result?: string;
  /** The command that ran. */
  command?: string;
}
