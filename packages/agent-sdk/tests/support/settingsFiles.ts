import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadSettings, type Settings, type SettingsPlaces } from "@/workspace/settings/settings.ts";
import { tempFolder } from "./tempFolder.ts";

type FileScope = "managed" | "user" | "project" | "local" | "flag";

/** A project, a home and a managed file in a folder of their own, and the settings that they add up to. */
export class SettingsFiles implements Disposable {
  readonly #folder = tempFolder();
  readonly places: SettingsPlaces = {
    projectDir: join(this.#folder.path, "project"),
    home: join(this.#folder.path, "home"),
    managedFile: join(this.#folder.path, "etc", "settings.json"),
  };
  readonly files: Record<FileScope, string> = {
    managed: this.places.managedFile,
    user: join(this.places.home, "settings.json"),
    project: join(this.places.projectDir, ".wave", "settings.json"),
    local: join(this.places.projectDir, ".wave", "settings.local.json"),
    flag: join(this.#folder.path, "extra.json"),
  };

  constructor() {
    mkdirSync(this.places.projectDir);
  }

  /** Text goes into the file as it is; anything else as JSON. */
  write(scope: FileScope, content: unknown): this {
    mkdirSync(dirname(this.files[scope]), { recursive: true });
    const text =
      typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content, null, 2);
    writeFileSync(this.files[scope], text);
    if (scope === "flag") this.places.extraFile = this.files.flag;
    return this;
  }

  load(): Settings {
    return loadSettings(this.places);
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

/** The settings of one file that says only this. */
export function settingsOf(content: unknown, scope: FileScope = "user"): Settings {
  using files = new SettingsFiles();
  return files.write(scope, content).load();
}
