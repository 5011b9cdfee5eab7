import type { z } from "zod";
import type { HookDialect } from "./dialect.ts";

/** What is to be said about an event, in its row of `events.ts`. */
export interface HookEventRow {
  /** The input field a matcher is compared with; undefined where a matcher means nothing. */
  matchOn:
    | "tool_name"
    | "source"
    | "reason"
    | "agent_type"
    | "notification_type"
    | "trigger"
    | "error"
    | "load_reason"
    | "command_name"
    | "model"
    | "to_model"
    | "mcp_server_name"
    | undefined;
  /** One line of JSON on the hook's stdin. snake_case lives in these schemas and nowhere else. */
  input: () => z.ZodObject;
  /** What a hook may print. Read leniently by `readOutput`, documented strictly here. */
  output: () => z.ZodObject;
  /** `$1`, `$2`, … for scripts that read arguments. */
  args: (input: Record<string, unknown>) => string[];
  /** Plain text on stdout with exit code 0. */
  stdout: "second-user-message" | "hook-block" | "not-used";
  /** Exit code 2, or a decision to block. */
  onBlock:
    | "deny-tool"
    | "drop-prompt"
    | "tell-model"
    | "keep-going"
    | "end-turn"
    | "tell-user"
    | "refuse-change";
  /** Which values of `onError` other than "continue" act here; the others are reported when settings are loaded. */
  onError: readonly ("ask" | "block")[];
  /**
   * How long a hook without a `timeout` of its own may take. Shared: all of them together, because somebody waits for Wave to
   * be gone.
   */
  time: { seconds: number; shared?: true };
  /** Calls of one answer are made together: what hooks tell the model waits for the results of all of them. */
  tellsModelAfterCalls?: true;
  /**
   * Results count only for hooks that were planned. For prompts, tools and stops every result counts, so that a program that
   * stands in for the hook service needs no settings.
   */
  onlyPlanned?: true;
  /** It happens in the course of another event, which does the ending of a turn. */
  withinOther?: true;
  /** No turn ends because of it: a hook that wants that is told so. */
  endsNothing?: true;
  /** Its hooks may set variables for later commands, in the file that CLAUDE_ENV_FILE names. */
  setsVariables?: true;
  /** Why hooks that were written for another agent are not asked, where that agent would not ask them. */
  notIn?: Readonly<
    Partial<Record<HookDialect, (input: Readonly<Record<string, unknown>>) => string | undefined>>
  >;
  /** Happens often, so nobody hears of it where no hook was asked. */
  silentWithoutHooks?: true;
  /** Rules and a person decide, too: there is a record also when no hook was asked. */
  alwaysRecorded?: true;
}
