import { main } from "./cli/main.ts";
import { surroundingsOf } from "./cli/surroundings.ts";

const around = surroundingsOf(process);
const status = await main(process.argv.slice(2), around);
await Promise.all([around.stdout.flush(), around.stderr.flush()]);
// Not left to an empty event loop: a background process of a tool may still hold a pipe open.
process.exit(status);
