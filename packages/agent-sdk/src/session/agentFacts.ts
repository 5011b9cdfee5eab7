import type { HookDefinition, HookState } from "../hooks/definition.ts";
import type { ImageBlock, Message, Usage } from "../messages/blocks.ts";
import type { PendingPermission } from "../permissions/request.ts";
import type { ListedRule } from "../permissions/ruleList.ts";
import { plainStatus, type SourceStatus } from "../tools/sources/toolSource.ts";
import type { BackgroundTask } from "../tools/shells.ts";
import { ImageError } from "../errors.ts";
import { readImageFile } from "../conversation/promptImages.ts";
import { deepFreeze } from "../utils/deepFreeze.ts";
import { TextCommands } from "../conversation/textCommands.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { SubAgents } from "../conversation/subAgents.ts";
import type { Session } from "./session.ts";
import type { SessionRun } from "./sessionRun.ts";

/** What an agent is made of. */
export interface AgentParts {
  session: Session;
  conversation: Conversation;
  subAgents: SubAgents;
  run: SessionRun;
}

/** What can be read of an agent at any time, also after it was destroyed. */
export class AgentFacts {
  readonly #session: Session;
  readonly #conversation: Conversation;
  readonly #subAgents: SubAgents;
  readonly #run: SessionRun;
  /** Commands in files, of the person and of the project, and prompts of MCP servers. */
  readonly commands: TextCommands;

  protected constructor(about: AgentParts) {
    this.#subAgents = about.subAgents;
    this.#session = about.session;
    this.#conversation = about.conversation;
    this.#run = about.run;
    this.commands = new TextCommands({
      texts: () => about.session.workspace.guard.texts,
      prompts: () => about.session.tools.prompts(),
      command: (line) => about.run.command(line, "model"),
      opened: () => about.session.tools.opened,
      interruptible: (work) => about.run.beside.until(work),
      judge: async (facts) => {
        const { denied, ended } = await about.conversation.pipeline.perform("UserPromptExpansion", facts);
        return ended ?? denied;
      },
    });
  }

  /** A snapshot: neither the list nor what is in it changes any more, and nobody can change it. */
  get messages(): readonly Message[] {
    return this.#conversation.messages.messages;
  }

  get sessionId(): string {
    return this.#session.opened.handle.id;
  }

  get sessionFile(): string {
    return this.#session.opened.handle.file;
  }

  /** Why the newest of the session was lost, in a sentence; undefined when nothing was that should be on disk. */
  get notSaved(): string | undefined {
    return this.#run.notSaved;
  }

  /** Why the session is not on disk, in a sentence, also in a home that cannot be written; undefined when all of it is. */
  get saveProblem(): string | undefined {
    return this.#run.saveProblem;
  }

  /** The folder commands start in: a `cd` of theirs moves it. */
  get cwd(): string {
    return this.#conversation.toolSession.cwd;
  }

  /** How many commands and sub-agents run in the background. */
  get inBackground(): number {
    return this.#conversation.toolSession.shells.running + this.#subAgents.inBackground;
  }

  /** Commands in the background, and all sub-agents: what runs or did, with what came of it so far. */
  get backgroundTasks(): BackgroundTask[] {
    return [...this.#conversation.toolSession.shells.list(), ...this.#subAgents.list()];
  }

  /** A picture for `images` of a prompt, by its path. Rejects with ImageError where it is none, is too large, or a rule denies it. */
  async readImage(path: string): Promise<ImageBlock> {
    const file = this.#conversation.ownPolicy.absolutePath(path);
    const why = this.#conversation.ownPolicy.whyNotRead(file);
    if (why !== undefined) throw new ImageError(`${path} is not shown: ${why}.`);
    return readImageFile(file);
  }

  /** Every permission rule with its file, also those that wait for an approval. */
  get rules(): ListedRule[] {
    return this.#conversation.rules.list();
  }

  /** Where `changeRule` can put a rule: settings files, and "session". */
  get ruleFiles(): string[] {
    return this.#conversation.rules.files;
  }

  /**
   * Tokens of the last request and its answer, and how many the model takes; undefined where nobody said. Estimated from a
   * compaction, or from taking it back, to the next answer.
   */
  get context(): { tokens: number | undefined; size: number | undefined; estimated?: true } {
    const { gauge } = this.#conversation;
    return { ...gauge.shown, size: gauge.state.size };
  }

  /** What the turns of a resumed session cost before this agent; undefined for a new one, for a copy, and where nobody counted. */
  get earlierUsage(): Usage | undefined {
    return deepFreeze(this.#session.opened.usage);
  }

  /** Where the tools come from, and what became of each source: built-in ones, those of the program, MCP servers. */
  get toolSources(): SourceStatus[] {
    return this.#session.tools.status().map(plainStatus);
  }

  get pendingPermissions(): PendingPermission[] {
    return this.#session.permissions.pending;
  }

  get hooks(): HookState[] {
    return this.#session.hooks.hooks;
  }

  /** Hooks of the project that something would have been judged by so far, had somebody approved them. */
  get missedHooks(): HookDefinition[] {
    return this.#session.hooks.missed;
  }

  /** Settings and scripts that changed since they were read, as far as it was noticed. What they say now does not count. */
  get changedFiles(): readonly string[] {
    return [...this.#session.workspace.guard.changedFiles];
  }

  /** The project has an AGENTS.md that the model is not told, because nobody approved it in this form. */
  get leavesInstructionsOut(): boolean {
    return this.#session.workspace.guard.leavesInstructionsOut;
  }
}
