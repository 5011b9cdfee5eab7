import { optionList, type OptionList } from "./options.ts";

/** A program whose arguments are another command. */
export interface Wrapper {
  options: OptionList;
  /** Words of its own before the command: a number of seconds, a lock file. */
  skip: number;
  /** What may run without it may run with it. */
  transparent: boolean;
  /** Options with text for a shell. */
  text: readonly string[];
  /** Without a command it starts a shell, which reads its input: always, or with one of these options. */
  shell: true | readonly string[];
  /** Its own words before the command are files that it writes. */
  writesOwn: boolean;
  /** Each of its words is text for a shell. */
  texts: boolean;
  /** It runs programs that run others in turn, or reads options in its own way: any word may be where a command begins. */
  loose: boolean;
}

const wrapper = (options: string, rest: Partial<Omit<Wrapper, "options">> = {}): Wrapper => ({
  options: optionList(options),
  skip: 0,
  transparent: false,
  text: [],
  shell: [],
  writesOwn: false,
  texts: false,
  loose: false,
  ...rest,
});

const SUDO =
  "A B b C= D= E e g= H h= i K k l n N P p= R= r= S s T= t= U= u= V v askpass background close-from= chdir= preserve-env? group= set-home host= " +
  "login non-interactive preserve-groups prompt= chroot= role= stdin shell type= command-timeout= other-user= user= validate";

export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  /** bash itself runs what stands behind `-x`. */
  jobs: wrapper("l n p r s x"),
  nice: wrapper("n= # adjustment=", { transparent: true }),
  nohup: wrapper("", { transparent: true }),
  time: wrapper("p f= a v o=w format= output=w append portability verbose", { transparent: true }),
  timeout: wrapper("k= s= v p f kill-after= signal= verbose preserve-status foreground", {
    transparent: true,
    skip: 1,
  }),
  stdbuf: wrapper("i= o= e= input= output= error=", { transparent: true }),
  setsid: wrapper("c f w ctty fork wait", { transparent: true }),
  sudo: wrapper(SUDO, { shell: ["s", "i", "shell", "login"] }),
  doas: wrapper("C= L n s u=", { shell: ["s"] }),
  ionice: wrapper("c= n= p= P= t u= class= classdata= ignore"),
  chrt: wrapper("a b d f i m o p r R T= P= D= v", { skip: 1 }),
  taskset: wrapper("a c p", { skip: 1 }),
  setpriv: wrapper("reuid= regid= clear-groups init-groups keep-groups no-new-privs"),
  flock: wrapper("e F n o s u w= x E= c= exclusive nonblock shared timeout= command= verbose close", {
    skip: 1,
    text: ["c", "command"],
    writesOwn: true,
  }),
  strace: wrapper(
    "c C d D e= E= f F i k o=w p= P= q r s= S= t T u= v w x X= y Y output=w trace= follow-forks",
  ),
  ltrace: wrapper("b c C e= f i l= L n= o=w p= r s= S t T u= x= output=w"),
  unshare: wrapper(
    "c C f i m n p r T u U kill-child? map-root-user mount-proc? fork mount uts ipc net pid user",
    { shell: true },
  ),
  "systemd-run": wrapper(
    "G P p= q r S t u= user scope unit= property= wait pty pipe collect same-dir uid= gid= setenv=",
  ),
  "xvfb-run": wrapper("a e= f= n= l s= auto-servernum"),
  prlimit: wrapper(
    "p= o= c? d? e? f? i? l? m? n? q? r? s? t? u? v? x? y? core? data? nice? fsize? sigpending? memlock? rss? nofile? msgqueue? " +
      "rtprio? stack? cpu? nproc? as? locks? rttime? pid= noheadings raw verbose",
  ),
  "ssh-agent": wrapper("c s k d D a=w t= E= O= P="),
  "dbus-run-session": wrapper("config-file= dbus-daemon="),
  bwrap: wrapper(
    "unshare-all unshare-net unshare-pid unshare-user share-net die-with-parent new-session bind=2 ro-bind=2 dev-bind=2 " +
      "symlink=2 setenv=2 dev= proc= tmpfs= dir= chdir= unsetenv= hostname= uid= gid= clearenv",
  ),
  "ld.so": wrapper("preload= library-path= argv0= audit= inhibit-cache list verify"),
  busybox: wrapper(""),
  toybox: wrapper(""),
  npx: wrapper("p= q y c= package= call= yes no quiet", { text: ["c", "call"], loose: true }),
  bunx: wrapper("bun silent", { loose: true }),
  watch: wrapper(
    "b c C d? e g n= p q= r t w x beep color differences? errexit chgexit interval= no-title exec",
  ),
  su: wrapper("c= f g= G= l m p P s= w= command= login preserve-environment shell=", {
    text: ["c", "command"],
    shell: true,
  }),
  runuser: wrapper("c= f g= G= l m p P s= u= w= command= login user=", {
    text: ["c", "command"],
    shell: true,
  }),
  ...Object.fromEntries(
    "i386 i486 i586 i686 linux32 linux64 x86_64 uname26"
      .split(" ")
      .map((name) => [name, wrapper("v R F Z L X B I S T 3 verbose addr-no-randomize", { shell: true })]),
  ),
  chroot: wrapper("groups= userspec= skip-chdir", { skip: 1, shell: true }),
  nsenter: wrapper(
    "a t= m? u? i? n? p? U? C? T? r? w? F S= G= all target= mount? uts? ipc? net? pid? user?",
    {
      shell: true,
    },
  ),
  setarch: wrapper("v R F Z L X B I S T 3 verbose addr-no-randomize", { skip: 1, shell: true }),
  choom: wrapper("n= p= adjust= pid="),
  logsave: wrapper("a s v", { skip: 1, writesOwn: true }),
  valgrind: wrapper("q v tool= log-file=w quiet verbose"),
  heaptrack: wrapper("o=w r q output=w raw quiet"),
  debconf: wrapper("", { loose: true }),
  gdb: wrapper("q n nx batch quiet"),
  "gpg-agent": wrapper("q v daemon quiet verbose"),
  tini: wrapper("s v w g p= e="),
  "dumb-init": wrapper("c v r= single-child verbose rewrite="),
  gosu: wrapper("", { skip: 1 }),
  "su-exec": wrapper("", { skip: 1 }),
  pkexec: wrapper("u= user= keep-cwd disable-internal-agent", { shell: true }),
  capsh: wrapper(""),
  "start-stop-daemon": wrapper(""),
  numactl: wrapper(
    "a i= m= N= C= p= l interleave= membind= cpunodebind= physcpubind= preferred= localalloc all",
  ),
  fakeroot: wrapper("", { shell: true }),
  faketime: wrapper("f m p= exclude-monotonic", { skip: 1 }),
  unbuffer: wrapper("p"),
  rlwrap: wrapper(""),
  eatmydata: wrapper(""),
  firejail: wrapper(""),
  proxychains: wrapper("q f=r"),
  proxychains4: wrapper("q f=r"),
  torsocks: wrapper("i u= p= q isolate quiet"),
  envdir: wrapper("", { skip: 1 }),
  chronic: wrapper("e v"),
  ifne: wrapper("n"),
  pee: wrapper("ignore-sigpipe no-ignore-sigpipe ignore-write-errors no-ignore-write-errors", {
    texts: true,
  }),
  mispipe: wrapper("h", { texts: true }),
  lckdo: wrapper("w W= e E x s q", { skip: 1, writesOwn: true }),
  zrun: wrapper(""),
  apply: wrapper("a= # d", { texts: true }),
  catchsegv: wrapper(""),
  fakechroot: wrapper("b= c= e= l= s use-system-libs lib= environment= config-dir= bindir=", { shell: true }),
  proot: wrapper("", { loose: true }),
  softlimit: wrapper("a= c= d= f= l= m= o= p= r= s= t="),
  setuidgid: wrapper("", { skip: 1 }),
  chpst: wrapper("", { loose: true }),
  cgexec: wrapper("g= sticky"),
  daemon: wrapper("", { loose: true }),
  daemonize: wrapper("", { loose: true }),
  dtach: wrapper("", { loose: true }),
  abduco: wrapper("", { loose: true }),
  nq: wrapper("c q"),
  tsp: wrapper("", { loose: true }),
  timelimit: wrapper("p q S= s= T= t="),
  "annotate-output": wrapper("", { loose: true }),
  sg: wrapper("", { loose: true }),
  run0: wrapper("", { loose: true, shell: true }),
  "systemd-inhibit": wrapper("what= who= why= mode= list no-pager"),
  "systemd-cat": wrapper("t= p= identifier= priority= level-prefix="),
  "systemd-nspawn": wrapper("", { loose: true }),
  rr: wrapper("", { loose: true }),
  gtimeout: wrapper("k= s= v p f kill-after= signal= verbose preserve-status foreground", { skip: 1 }),
  gnice: wrapper("n= # adjustment="),
  gnohup: wrapper(""),
  gstdbuf: wrapper("i= o= e= input= output= error="),
  genv: wrapper("", { loose: true }),
  gxargs: wrapper("", { loose: true }),
  xterm: wrapper("", { loose: true }),
  "gnome-terminal": wrapper("", { loose: true }),
  konsole: wrapper("", { loose: true }),
  alacritty: wrapper("", { loose: true }),
  kitty: wrapper("", { loose: true }),
  cpulimit: wrapper("l= p= e= i z v limit= pid= exe="),
  caffeinate: wrapper("d i m s u t= w="),
  expect: wrapper("b d f=r i v", { loose: true }),
  /** Commands of the language that expect reads. */
  spawn: wrapper("noecho"),
  nyc: wrapper("", { loose: true }),
  c8: wrapper("", { loose: true }),
  hyperfine: wrapper("", { loose: true }),
  concurrently: wrapper("", { loose: true }),
  watchexec: wrapper("", { loose: true }),
  entr: wrapper("a c d n p r s z", { loose: true }),
  corepack: wrapper("", { loose: true }),
  pnpx: wrapper("", { loose: true }),
  uvx: wrapper("", { loose: true }),
  "cross-env": wrapper(""),
  "cross-env-shell": wrapper("", { loose: true }),
  dotenv: wrapper("", { loose: true }),
  "dotenv-cli": wrapper("", { loose: true }),
  "env-cmd": wrapper("", { loose: true }),
};

/** Words of a program behind which another command stands, as `npm exec -- x`. */
export const COMMAND_BEHIND: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    git: ["foreach", "run", "remote-ext"],
    npm: ["exec", "x", "explore"],
    npx: ["exec", "x"],
    pnpm: ["exec", "x", "dlx"],
    yarn: ["exec", "x", "dlx"],
    bun: ["exec", "x"],
    uv: ["run"],
    poetry: ["run"],
    pdm: ["run"],
    hatch: ["run"],
    pipenv: ["run"],
    pipx: ["run"],
    conda: ["run"],
    op: ["run"],
    doppler: ["run"],
    infisical: ["run"],
    direnv: ["exec"],
    mise: ["exec", "x"],
    asdf: ["exec"],
    rbenv: ["exec"],
    pyenv: ["exec"],
    nodenv: ["exec"],
    bundle: ["exec"],
    rustup: ["run"],
    "aws-vault": ["exec"],
    perf: ["stat", "record", "trace", "mem", "c2c", "kvm", "sched", "lock"],
    cmake: ["-E"],
    ip: ["exec"],
    docker: ["exec", "run"],
    podman: ["exec", "run"],
    kubectl: ["exec", "run"],
    vagrant: ["-c"],
    flatpak: ["run"],
    nix: ["run", "shell", "develop", "-c", "--command"],
    guix: ["shell", "environment"],
    rails: ["runner"],
  }),
);
