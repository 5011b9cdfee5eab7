/**
 * The day on which the prices in prices.ts were looked up. They are list prices of the providers' own servers; a contract may say
 * something else. In a file of its own: the screen shows the day, and does not load the agent for it.
 */
export const PRICES_AS_OF = "2026-11-06";
