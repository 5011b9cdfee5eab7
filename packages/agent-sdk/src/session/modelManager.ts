import { ModelError } from "../errors.ts";
import { callAgent, type ModelAnswer, type ModelOptions, type ModelRequest } from "../services/aiService.ts";
import { knownContextSize } from "../model/contextSize.ts";
import { listAllModels } from "../model/listModels.ts";
import { modelKey, sizeKey } from "../model/nameModel.ts";
import type { ListedModel, ModelTarget } from "../model/call.ts";
import { costOf, priceOf } from "../model/prices.ts";
import { fullName, resolveModel } from "../model/resolveModel.ts";
import { promptKeyOf } from "../model/systemPrompt.ts";
import { readableAnswer } from "../model/answer.ts";
import type { SessionLog } from "./sessionLog.ts";

/** What is in force of the project; both may change while a session goes on. */
export interface ProjectWords {
  /** Whether the folder is believed. */
  readonly believesFolder: boolean;
  /** What the model is told of AGENTS.md. */
  readonly instructions: string;
}

/** Which model a session talks to, what is known of it, and the way to it. */
export class ModelManager {
  readonly #log: SessionLog;
  readonly #tell: (text: string) => void;
  readonly #projectDir: string;
  readonly #settings: ProjectWords;
  readonly #contextSize: number | undefined;
  /** One per session: the beginning of every request stays the same, and the server can cache it. */
  readonly #known: Map<string, string>;
  #options: ModelOptions;

  constructor(options: {
    model: ModelOptions;
    /** What settings say. */
    contextSize: number | undefined;
    projectDir: string;
    settings: ProjectWords;
    log: SessionLog;
    /** For the person. */
    tell: (text: string) => void;
    known?: Map<string, string>;
  }) {
    this.#known = options.known ?? new Map<string, string>();
    this.#options = options.model;
    this.#contextSize = options.contextSize;
    this.#projectDir = options.projectDir;
    this.#settings = options.settings;
    this.#log = options.log;
    this.#tell = options.tell;
  }

  /** Undefined until the server was asked, when nobody named one. */
  get name(): string | undefined {
    const target = this.#target();
    return (
      target && fullName({ ...target, model: target.model ?? this.#known.get(modelKey(target.address)) })
    );
  }

  /** For the requests that follow, and for the session when it is resumed. */
  choose(name: string): void {
    const model = name.trim();
    this.#options = { ...this.#options, chosenModel: model };
    this.#log.append({ type: "model_chosen", model }, { sync: true });
  }

  /** The same for another model: the session goes on with its own. */
  as(model: string | undefined): ModelManager {
    if (model === undefined) return this;
    return new ModelManager({
      model: { ...this.#options, chosenModel: model },
      contextSize: this.#contextSize,
      projectDir: this.#projectDir,
      settings: this.#settings,
      log: this.#log,
      tell: this.#tell,
      known: this.#known,
    });
  }

  /** In tokens; undefined when nobody said. */
  get contextSize(): number | undefined {
    if (this.#contextSize !== undefined) return this.#contextSize;
    const { name } = this;
    if (name === undefined) return undefined;
    const listed = this.#known.get(sizeKey(name));
    return listed === undefined ? knownContextSize(name) : Number(listed);
  }

  /** What all providers offer whose keys are set; who gave no list is told. Rejects with ModelError when nobody did. */
  async list(): Promise<ListedModel[]> {
    const { models, missing } = await listAllModels(this.#options);
    for (const { name, contextSize } of models) {
      if (contextSize !== undefined) this.#known.set(sizeKey(name), String(contextSize));
    }
    for (const why of missing) this.#tell(why);
    return models.map((model) => {
      const price = priceOf(model.name, today());
      return price ? { ...model, price: { input: price.input, output: price.output } } : model;
    });
  }

  /** What is told of AGENTS.md may be another text by now: the next request takes it up. */
  readInstructionsAgain(): void {
    this.#known.delete(promptKeyOf(this.#projectDir));
  }

  /** Rejects as callAgent does. */
  async ask(
    request: Omit<ModelRequest, "model" | "projectDir" | "believed" | "instructions" | "promptCache">,
  ): Promise<ModelAnswer> {
    const asked = this.name;
    const about = {
      model: this.#options,
      projectDir: this.#projectDir,
      believed: this.#settings.believesFolder,
      instructions: this.#settings.instructions,
    };
    const answer = await callAgent({ ...request, ...about, promptCache: this.#known });
    // The person may have chosen another one meanwhile; and the server may just have said which one it is.
    return withCost(readableAnswer(answer ?? {}), asked ?? this.name);
  }

  #target(): ModelTarget | undefined {
    try {
      return resolveModel(this.#options);
    } catch (error) {
      // No key, or no address: the first request says so.
      if (error instanceof ModelError) return undefined;
      throw error;
    }
  }
}

function withCost(answer: ModelAnswer, model: string | undefined): ModelAnswer {
  const { usage } = answer;
  const costUsd = usage && model !== undefined ? costOf(model, today(), usage) : undefined;
  return usage && costUsd !== undefined ? { ...answer, usage: { ...usage, costUsd } } : answer;
}

const today = () => new Date().toISOString().slice(0, 10);
