import type { ApiMessage, ApiVendorData } from "../utils/convertMessagesForAPI.ts";
import type { NamedTarget } from "./call.ts";

/** Who gives, and gets back, what only one model at one server understands. */
export function vendorOf({
  protocol,
  address,
  model,
}: Pick<NamedTarget, "protocol" | "address" | "model">): string {
  return `${protocol} ${address} ${model}`;
}

/** The conversation with only what this server gave. `leftBehind`: how many answers came with something of another one. */
export function withOwnData(
  messages: readonly ApiMessage[],
  vendor: string,
): { messages: ApiMessage[]; leftBehind: number } {
  let leftBehind = 0;
  const own = messages.map((message): ApiMessage => {
    if (message.role !== "assistant") return message;
    const { vendorData, tool_calls: calls, ...rest } = message;
    const all = [vendorData, ...(calls ?? []).map((call) => call.vendorData)];
    if (all.some((data) => data !== undefined && data.from !== vendor)) leftBehind += 1;
    return {
      ...rest,
      ...ownOf(vendorData, vendor),
      ...(calls && {
        tool_calls: calls.map(({ vendorData: data, ...call }) => ({ ...call, ...ownOf(data, vendor) })),
      }),
    };
  });
  return { messages: own, leftBehind };
}

function ownOf(data: ApiVendorData | undefined, vendor: string): { vendorData?: ApiVendorData } {
  return data?.from === vendor ? { vendorData: data } : {};
}
