import { once } from "../utils/once.ts";

/**
 * At SIGUSR1 Node opens its inspector, and whoever connects to it runs code in this process: `kill -USR1 $PPID` in a command
 * would lead past every hook. A listener takes the signal over. It stays for good: without any the signal ends the process.
 */
export const keepInspectorClosed = once(() => process.on("SIGUSR1", () => {}));
