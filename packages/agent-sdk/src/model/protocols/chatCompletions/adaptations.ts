import type { Adaptation } from "../../adaptations.ts";
import { nineLetterId, plainId } from "../../wireNames.ts";
import {
  alternating,
  filledReasoning,
  filledSignatures,
  inOnePiece,
  namedResults,
  neverEmpty,
  plainSchemas,
  systemInFirstMessage,
  textForNull,
  withAnswerLimit,
  withIds,
  without,
  withoutReasoning,
  withoutVendorFields,
} from "./wireChanges.ts";
import type { WireBody } from "./wireMessages.ts";

/** What servers of Chat Completions refuse, and how the request changes then. */
export const ADAPTATIONS: readonly Adaptation<WireBody>[] = [
  {
    name: "no-stream-options",
    says: /stream_options|include_usage/i,
    change: without("stream_options"),
    does: "does not ask it to count tokens",
  },
  {
    // OpenAI, of organisations it has not verified; gateways in front of models that cannot stream.
    name: "no-stream",
    says: /verified to stream|\bstream(ing)?['"`]? (mode |requests? )?(is |are )?(not|un)[ -]?(supported|available|allowed|enabled|implemented)|(not|n't|cannot) (support|allow|enable|use) (stream|streaming)\b(?!_)/i,
    change: inOnePiece,
    does: "asks for whole answers, which show nothing until they are there",
  },
  {
    // OpenAI, of models that want another protocol for both together.
    name: "no-reasoning-with-tools",
    says: /function tools with reasoning_effort/i,
    change: withoutReasoning,
    does: 'asks with reasoning_effort "none"',
  },
  {
    name: "answer-limit",
    says: /\bmax_tokens\b.{0,40}(required|missing)|(required|missing).{0,40}\bmax_tokens\b/i,
    change: withAnswerLimit,
    does: "asks for at most 8192 tokens at once",
  },
  {
    // Gemma, at vLLM, llama.cpp and Google; OpenAI's o1-mini.
    name: "no-system-role",
    says: /system (role|message|prompt|instruction)s?['"`]? (is |are )?(not|un)[ -]?(supported|allowed|enabled)|(not|n't) support (the )?['"`]?(system|developer)\b|developer instruction is not enabled/i,
    change: systemInFirstMessage,
    does: "puts the system prompt into the first message",
  },
  {
    // Templates of Mistral, Gemma and Llama 2 at vLLM, llama.cpp and LM Studio; Mistral, Bedrock, Perplexity, DeepSeek R1, Zhipu.
    name: "alternate",
    says: /(must|should) alternate|roles in a row|unexpected role ['"`]?user['"`]? after|successive user|interleave the user|consecutive (user|messages)|incorrect role information/i,
    change: alternating,
    does: "sends messages of one role that follow each other as one",
  },
  {
    // Mistral, and templates of its models anywhere.
    name: "nine-letter-ids",
    says: /length of 9\b|exactly 9 /i,
    change: withIds(nineLetterId),
    does: "gives calls ids of nine letters",
  },
  {
    // Anthropic, behind gateways.
    name: "plain-ids",
    says: /tool_(use|calls?)\S{0,12}id\b.{0,120}(pattern|match|alphanumeric|invalid|only contain)/i,
    change: withIds(plainId),
    does: "gives calls plain ids",
  },
  {
    // Gemini.
    name: "named-results",
    says: /function_response\.name|\btool\b.{0,40}\bname\b.{0,30}(required|empty|missing)/i,
    change: namedResults,
    does: "says with each result of which tool it is",
  },
  {
    // LM Studio, llama-cpp-python, Ollama.
    name: "no-null-content",
    says: /content.{0,80}\b(null|none|nil)\b|\b(null|none|nil)\b.{0,60}content|content.{0,60}(must|should|expected|field).{0,40}string|content.{0,40}\brequired|missing.{0,20}content/i,
    change: textForNull,
    does: "sends an empty text where the model only called tools",
  },
  {
    // Bedrock, Anthropic and Zhipu, behind gateways.
    name: "no-empty-content",
    says: /(content|text|message).{0,60}(non-?empty|(not|n't) be (empty|blank|null)|不能为空)|empty (content|text|message)/i,
    change: neverEmpty,
    does: 'says "(no text)" where a message has none',
  },
  {
    // Gemini, and gateways in front of it.
    name: "plain-schemas",
    says: /additionalProperties|\$schema|function_declarations|unknown name .{0,200}parameters|(unsupported|invalid|unknown).{0,60}(schema|keyword)|(schema|keyword).{0,80}(not|un)[ -]?(supported|allowed|permitted)/i,
    change: plainSchemas,
    does: "describes its tools without limits on their input, which it still checks",
  },
  {
    // Groq, Cerebras and Mistral, of fields they did not send themselves; any server of a signature it cannot read.
    name: "nothing-back",
    says: /(reasoning|extra_content|provider_specific|thinking|signature).{0,120}(not (supported|permitted|allowed|valid)|un(supported|expected|known|recognized)|invalid|forbidden)|(un(supported|expected|known|recognized)|forbidden|invalid).{0,60}(reasoning|extra_content|provider_specific|thinking|signature)/i,
    change: withoutVendorFields,
    does: "does not send back what came with earlier answers, such as reasoning",
  },
  {
    // DeepSeek, Kimi: a conversation that began with another model, or was kept by an older Wave.
    name: "filled-reasoning",
    says: /reasoning_content.{0,80}(missing|must be (passed|provided|sent)|required)|(missing|required).{0,40}reasoning_content/i,
    change: filledReasoning,
    does: "says of answers whose reasoning it does not have that it was not kept",
  },
  {
    // Gemini 3: the same.
    name: "filled-signatures",
    says: /missing (a )?['"`]?thought_?signature/i,
    change: filledSignatures,
    does: "sends calls of other models without a signature",
  },
];
