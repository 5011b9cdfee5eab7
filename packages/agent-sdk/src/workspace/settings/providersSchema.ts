import { z } from "zod";
import { once } from "../../utils/once.ts";
import { PROTOCOL_NAMES } from "../../utils/protocolNames.ts";

const either = (words: readonly string[]) => words.map((word) => `"${word}"`).join(", ");
const AN_ADDRESS = 'must be an address such as "http://localhost:11434/v1"';
const A_VARIABLE = 'must be the name of a variable, such as "MY_SERVER_KEY"';
const HEADERS = 'must be an object of names and texts, such as {"x-team": "search"}';

export const baseUrlSchema = once(() => z.url({ protocol: /^https?$/, error: AN_ADDRESS }));

/** What stands before the "/" of a model's name. */
export const providerIdSchema = once(() =>
  z.string().regex(/^[a-z][a-z0-9-]*$/, { error: "is a name of small letters, digits and -" }),
);

export const providerSchema = once(() =>
  z.strictObject({
    baseUrl: baseUrlSchema().optional().describe("Where its server is. A provider of your own needs one."),
    protocol: z
      .enum(PROTOCOL_NAMES, { error: `must be one of ${either(PROTOCOL_NAMES)}` })
      .optional()
      .describe("What its server speaks. Default for a provider of your own: chat-completions."),
    keyVariable: z
      .string({ error: A_VARIABLE })
      .regex(/^[A-Za-z_]\w*$/, { error: A_VARIABLE })
      .optional()
      .describe("The variable that holds its key. It is kept from hooks and tools."),
    headers: z
      .record(
        z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, { error: HEADERS }),
        z.string({ error: HEADERS }).regex(/^[\t\x20-\x7e]*$/, { error: HEADERS }),
        { error: HEADERS },
      )
      .optional()
      .describe("Sent with every request to it."),
  }),
);

export type ProviderSetting = z.infer<ReturnType<typeof providerSchema>>;
