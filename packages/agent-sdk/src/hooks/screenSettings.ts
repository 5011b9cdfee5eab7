import { z } from "zod";

/** How a terminal is told that somebody is waited for. "auto": as the terminal in use understands it. */
const NOTIFICATIONS = ["auto", "bell", "osc9", "osc777", "osc99", "off"] as const;
export type Notifications = (typeof NOTIFICATIONS)[number];

/** Settings of the terminal UI. */
export const screenShape = () => ({
  notifications: z
    .enum(NOTIFICATIONS, { error: `must be ${NOTIFICATIONS.map((way) => `"${way}"`).join(", ")}` })
    .optional()
    .describe(
      "How the terminal tells you that Wave waits for you. auto (default): what your terminal understands. Not read from a project's files.",
    ),
  windowTitle: z
    .boolean({ error: "must be true or false" })
    .optional()
    .describe(
      "Whether the title of the terminal window shows what Wave is doing. Default true. Not read from a project's files.",
    ),
});
