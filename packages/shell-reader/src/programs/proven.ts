/**
 * Programs whose call may be proven to only read: each is of everyday use and has a row that says what every one of its options
 * takes. Any other is believed only where something else bounds it, however its row looks.
 */
const PROVABLE: ReadonlySet<string> = new Set(
  // The shell itself.
  (
    "cd pushd popd command echo printf pwd test [ true false : type wait exit break continue set read export bash sh " +
    // What is in files.
    "cat tac head tail wc nl cut paste rev fold expand column comm join cmp od hexdump xxd strings sort uniq tr diff grep rg " +
    "sed awk jq md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum base64 git npm " +
    // Which files there are.
    "ls tree du df stat file find fd fdfind readlink realpath basename dirname which " +
    // The machine, its time and its variables.
    "date uname id whoami nproc uptime free hostname sleep seq expr ps printenv " +
    // They run the command behind them.
    "env nice nohup timeout xargs"
  ).split(" "),
);

export const isProvable = (name: string) => PROVABLE.has(name);

/**
 * The variables with which what is proven holds: without them git notes in its index what it has seen, and npm keeps a record of
 * each run, makes its folder for that, and asks whether there is a newer npm.
 */
export const READING_VARIABLES: Readonly<Record<string, string>> = {
  GIT_OPTIONAL_LOCKS: "0",
  npm_config_logs_max: "0",
  npm_config_update_notifier: "false",
  npm_config_cache: "/tmp",
  NODE_DISABLE_COMPILE_CACHE: "1",
};
