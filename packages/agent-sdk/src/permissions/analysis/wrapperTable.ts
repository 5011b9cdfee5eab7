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
  /** Files among its own words and options that it writes. */
  writes: readonly string[];
}

const wrapper = (options: string, rest: Partial<Omit<Wrapper, "options">> = {}): Wrapper => ({
  options: optionList(options),
  skip: 0,
  transparent: false,
  text: [],
  shell: [],
  writes: [],
  ...rest,
});

const SUDO =
  "A B b C= D= E e g= H h= i K k l n N P p= R= r= S s T= t= U= u= V v askpass background close-from= chdir= preserve-env? group= set-home host= " +
  "login non-interactive preserve-groups prompt= chroot= role= stdin shell type= command-timeout= other-user= user= validate";

export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
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
  npx: wrapper("p= q y c= package= call= yes no quiet", { text: ["c", "call"] }),
  bunx: wrapper("bun silent"),
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
};
