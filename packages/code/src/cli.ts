import { finish, main } from "./cli/main.ts";
import { surroundingsOf } from "./cli/surroundings.ts";

const around = surroundingsOf(process);
const status = await finish(await main(process.argv.slice(2), around), around);
// Not left to an empty event loop: a background process of a tool may still hold a pipe open.
process.exit(status);
