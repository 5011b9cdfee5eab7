/** Events of Claude Code that Wave does not have, each with the reason. Hooks for them are reported wherever they are configured. */
export const ABSENT_EVENTS: Readonly<Record<string, string>> = {
  Setup: "Wave has no --init and no --maintenance",
  MessageDisplay: "what the model says is shown as it is",
  TeammateIdle: "Wave has no teammates",
  DirectoryAdded: "a session has one project folder",
  FileChanged: "Wave does not watch files yet, beside settings and hook scripts (ConfigChange)",
  WorktreeCreate: "Wave makes no work trees",
  WorktreeRemove: "Wave makes no work trees",
  PreModelSwitch: "a model is chosen at once; PostModelSwitch hooks are told of it",
};
