import type { InterruptibleWork } from "./workQueue.ts";
import type { AgentEvent } from "../events.ts";
import type { HookFacts } from "../hooks/events.ts";
import type { Verdict } from "../hooks/verdict.ts";
import type { WantedValue } from "../permissions/request.ts";
import { fieldsOf, readField, type FormField, type FormValue } from "../tools/mcp/form.ts";
import type { ServerAnswer, ServerQuestion } from "../tools/sources/toolSource.ts";
import { onOneLine, shortened } from "../utils/quoted.ts";
import type { Concluded, HookPipeline } from "../session/hookPipeline.ts";
import type { Person } from "../session/person.ts";

const DECLINED: ServerAnswer = { action: "decline" };

/** Questions of MCP servers, for a person: hooks first, then the one way to ask, then hooks about the answer. */
export class Elicitations {
  readonly #hooks: Pick<HookPipeline, "perform">;
  readonly #person: Person;
  readonly #emit: (event: AgentEvent) => void;
  readonly #cwd: () => string;

  constructor(options: {
    hooks: Pick<HookPipeline, "perform">;
    person: Person;
    emit: (event: AgentEvent) => void;
    cwd: () => string;
  }) {
    this.#hooks = options.hooks;
    this.#person = options.person;
    this.#emit = options.emit;
    this.#cwd = options.cwd;
  }

  /** Never rejects: a question that nobody can answer is declined, and the person hears why. */
  async ask(question: ServerQuestion, server: AbortSignal, beside: InterruptibleWork): Promise<ServerAnswer> {
    return beside.until((interrupt) => this.#ask(question, AbortSignal.any([server, interrupt])));
  }

  async #ask(question: ServerQuestion, signal: AbortSignal): Promise<ServerAnswer> {
    const facts = factsOf(question);
    const { schema } = question;
    const before = await this.#hooks.perform(
      "Elicitation",
      { ...facts, ...(schema && { requested_schema: schema }) },
      { signal },
    );
    const given = byHooks(before) ?? (await this.#byPerson(question, signal));
    const { action } = given;
    const content = "content" in given && given.content ? { content: given.content } : {};
    const after = await this.#hooks.perform(
      "ElicitationResult",
      { ...facts, action, ...content },
      { signal },
    );
    return byHooks(after) ?? given;
  }

  async #byPerson(question: ServerQuestion, signal: AbortSignal): Promise<ServerAnswer> {
    const fields = question.mode === "url" ? [] : fieldsOf(question.schema);
    if ("problem" in fields) return this.#decline(question, fields.problem);
    if (fields.length === 0) {
      const said = await this.#askOnce(question, undefined, [], signal);
      return said.answer ?? { action: "accept", ...(question.mode === "form" && { content: {} }) };
    }
    const content: Record<string, FormValue> = {};
    for (const [at, field] of fields.entries()) {
      const filled = await this.#fill(question, field, `${at + 1} of ${fields.length}`, signal);
      if ("answer" in filled) return filled.answer;
      if (filled.value !== undefined) content[field.name] = filled.value;
    }
    return { action: "accept", content };
  }

  /** Until what is typed fits, or the person has had enough. */
  async #fill(
    question: ServerQuestion,
    field: FormField,
    place: string,
    signal: AbortSignal,
  ): Promise<{ value: FormValue | undefined } | { answer: ServerAnswer }> {
    const { label, kind, options, proposed } = field;
    const wants: WantedValue = {
      label,
      kind,
      place,
      required: field.required,
      ...(options.length > 0 && { options }),
      ...(proposed !== undefined && { proposed }),
    };
    for (let wrong: string[] = []; ;) {
      const said = await this.#askOnce(question, wants, wrong, signal);
      if (said.answer) return { answer: said.answer };
      const read = readField(field, said.value ?? proposed ?? "");
      if ("value" in read) return read;
      // A program that gives the same answer again would be asked for ever.
      if (wrong.length >= 3) return { answer: this.#decline(question, `${label}: ${read.problem}`) };
      wrong = [...wrong, `${label}: ${read.problem}.`];
    }
  }

  async #askOnce(
    question: ServerQuestion,
    wants: WantedValue | undefined,
    wrong: readonly string[],
    signal: AbortSignal,
  ): Promise<{ answer?: ServerAnswer; value?: string | undefined }> {
    const { server, message, url } = question;
    const said = await this.#person.ask(
      {
        toolName: `mcp__${server}`,
        toolUseId: undefined,
        origin: "model",
        input: {
          question: message,
          ...(url !== undefined && { url }),
          ...(wants && { field: `${wants.label} (${wants.place})` }),
        },
        originalInput: undefined,
        reasons: [wrong.at(-1) ?? `The MCP server ${server} asks you; what you answer goes to it.`],
        askedBy: [`MCP server ${server}`],
        failedHooks: [],
        verdicts: [],
        cwd: this.#cwd(),
        ...(wants && { wants }),
        offer: () => ({ offered: false, why: "every question of a server has an answer of its own" }),
      },
      { guards: [], earlier: [] },
      signal,
    );
    if (said.said === "yes") return { value: said.value };
    if (said.said === "interrupted") return { answer: { action: "cancel" } };
    return { answer: said.said === "nothing" ? this.#decline(question, said.why) : DECLINED };
  }

  #decline({ server, message }: ServerQuestion, why: string): ServerAnswer {
    const asked = shortened(onOneLine(message), 200);
    const text = `MCP server ${server} asked "${asked}", and Wave declined: ${why}`;
    this.#emit({ type: "notice", level: "warning", text });
    return DECLINED;
  }
}

function factsOf({
  server,
  message,
  mode,
  url,
  id,
}: ServerQuestion): Omit<HookFacts<"Elicitation">, "requested_schema"> {
  return {
    mcp_server_name: server,
    message,
    mode,
    ...(url !== undefined && { url }),
    ...(id !== undefined && { elicitation_id: id }),
  };
}

/** What holds back counts before what lets through. */
function byHooks({ denied, ended, combined }: Concluded): ServerAnswer | undefined {
  if (denied !== undefined || ended !== undefined || combined.decision === "ask") return DECLINED;
  if (combined.decision !== "allow") return undefined;
  const content = combined.deciders.map(contentOf).find((one) => one !== undefined);
  return { action: "accept", ...(content && { content }) };
}

const contentOf = ({ rewrite }: Verdict) =>
  rewrite && "to" in rewrite ? (rewrite.to as Record<string, FormValue>) : undefined;
