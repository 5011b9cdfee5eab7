import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../../permissions/paths.ts";
import type { Mount } from "../../permissions/sandbox.ts";
import { SocketsOutside } from "./sockets.ts";

/** What leads out of the sandbox although the file system is read-only in it. */
export class Doors {
  readonly #place: DoorPlace;
  readonly #sockets: SocketsOutside;

  constructor(place: DoorPlace) {
    this.#place = place;
    this.#sockets = new SocketsOutside(place);
  }

  /** What keeps them shut, as they are now. */
  mounts(writable: readonly string[]): Mount[] {
    const uid = process.getuid?.() ?? 0;
    const known = knownDoors(this.#place, uid)
      // Some machines have everything in one folder; what is writable cannot be hidden as well.
      .filter(({ path }) => !writable.includes(path) && !this.#isOpened(path));
    const isKnown = (path: string) => known.some((door) => isInside(door.path, path));
    const sockets = this.#sockets.paths().filter((path) => !isKnown(path) && !this.#isOpened(path));
    return [
      ...known,
      ...sockets.map((path): Mount => ({ path, as: "hidden-file" })),
      ...(uid === 0 ? kernelSettings() : [SETTINGS_OF_NAMESPACE]),
    ];
  }

  #isOpened(path: string): boolean {
    return this.#place.opened.some((folder) => isInside(folder, path));
  }
}

export interface DoorPlace {
  projectDir: string;
  /** What the person named. */
  opened: readonly string[];
  temporary: readonly string[];
  home: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** Whoever makes a namespace owns a few of its settings, such as how many messages a queue holds. */
const SETTINGS_OF_NAMESPACE: Mount = { path: "/proc/sys", as: "read-only" };

/**
 * What the kernel is told in /proc, beside the processes: root needs no more than its number to write there, and one line in
 * `sys/kernel/core_pattern` makes the system run a program outside.
 */
function kernelSettings(): Mount[] {
  return readdirSync("/proc", { withFileTypes: true }).flatMap((entry): Mount[] => {
    const path = join("/proc", entry.name);
    if (/^\d+$/.test(entry.name) || entry.isSymbolicLink()) return [];
    const canWrite = entry.isDirectory() || (lstatSync(path).mode & 0o222) !== 0;
    return canWrite ? [{ path, as: "read-only" }] : [];
  });
}

/**
 * Programs that do what they are told, outside of any sandbox: a container engine starts containers with every folder in them,
 * the system's and the user's manager start services, a terminal multiplexer types into other windows. Where they have folders
 * of their own these are hidden as a whole, and with them what comes to lie there later.
 */
function knownDoors({ home, temporary, env }: DoorPlace, uid: number): Mount[] {
  const folders = [
    `/run/user/${uid}`,
    "/run/screen",
    ...temporary.map((folder) => join(folder, `tmux-${uid}`)),
  ];
  const files = [
    "/run/docker.sock",
    "/run/podman/podman.sock",
    "/run/containerd/containerd.sock",
    "/run/crio/crio.sock",
    "/run/dbus/system_bus_socket",
    "/run/systemd/private",
    "/run/snapd.socket",
    "/run/libvirt/libvirt-sock",
    join(home, ".docker/run/docker.sock"),
    join(home, ".docker/desktop/docker.sock"),
    // Who can read it may type into every window of the screen.
    join(home, ".Xauthority"),
  ];
  return [...new Set([...folders, ...files, ...namedIn(env)])].flatMap((path): Mount[] => {
    try {
      const real = realpathSync(path);
      return [{ path: real, as: lstatSync(real).isDirectory() ? "hidden-folder" : "hidden-file" }];
    } catch {
      // This machine has no such door.
      return [];
    }
  });
}

/** Where the user's own environment says that such programs are. */
function namedIn(env: Readonly<Record<string, string | undefined>>): string[] {
  const { XDG_RUNTIME_DIR, DOCKER_HOST, DBUS_SESSION_BUS_ADDRESS, TMUX, SSH_AUTH_SOCK, XAUTHORITY } = env;
  return [
    XDG_RUNTIME_DIR,
    SSH_AUTH_SOCK,
    XAUTHORITY,
    /^unix:\/\/(.+)$/.exec(DOCKER_HOST ?? "")?.[1],
    /\bunix:path=([^,;]+)/.exec(DBUS_SESSION_BUS_ADDRESS ?? "")?.[1],
    TMUX?.split(",")[0],
  ].flatMap((path) => (path?.startsWith("/") ? [path] : []));
}
