import { lstatSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Mount } from "../../permissions/sandbox.ts";

/**
 * Sockets of programs that do what they are told, outside of any sandbox: a container engine starts containers with every
 * folder in them, the system's and the user's manager start services, a terminal multiplexer types into other windows. A
 * read-only file system does not keep anybody from connecting to them, so they are hidden.
 */
export function doorsOutside(place: {
  uid: number;
  home: string;
  tmp: string;
  env: Readonly<Record<string, string | undefined>>;
}): Mount[] {
  const { uid, home, tmp } = place;
  const folders = [`/run/user/${uid}`, "/run/screen", join(tmp, `tmux-${uid}`)];
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
  ];
  return [...new Set([...folders, ...files, ...namedIn(place.env)])].flatMap((path): Mount[] => {
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
  const { XDG_RUNTIME_DIR, DOCKER_HOST, DBUS_SESSION_BUS_ADDRESS, TMUX } = env;
  return [
    XDG_RUNTIME_DIR,
    /^unix:\/\/(.+)$/.exec(DOCKER_HOST ?? "")?.[1],
    /\bunix:path=([^,;]+)/.exec(DBUS_SESSION_BUS_ADDRESS ?? "")?.[1],
    TMUX?.split(",")[0],
  ].flatMap((path) => (path?.startsWith("/") ? [path] : []));
}
