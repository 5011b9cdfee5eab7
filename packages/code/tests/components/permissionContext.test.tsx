import { Text } from "ink";
import { cleanup, render } from "ink-testing-library";
import { Component, type ReactNode } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { AgentEvent, PermissionAnswer, RuleScope } from "wave-agent-sdk";
import { systemClock } from "../../src/asking/clock.ts";
import { PermissionDialog } from "../../src/components/PermissionDialog.tsx";
import {
  HookEventProvider,
  useAsking,
  useHookEvents,
  type HookEventProviderProps,
  type HookEvents,
} from "../../src/contexts/HookEventContext.tsx";
import { pending } from "../asking/requests.ts";
import { HandClock, TestKeys } from "../support/keyboard.tsx";
import { decided, ended, hookEntry } from "../support/events.ts";

afterEach(cleanup);

/** An application in small: the dialog when there is a question, and a draft. */
function start({
  keepRule,
  ...props
}: Partial<HookEventProviderProps> & { keepRule?: () => Promise<void> } = {}) {
  const clock = new HandClock();
  const keys = new TestKeys({ clock: props.clock ?? clock, pauseMs: 700 });
  const log: string[] = [];
  let events: HookEvents | undefined;
  let open: ((event: AgentEvent) => void) | undefined;
  function Application(): ReactNode {
    events = useHookEvents();
    const { visible, asks, ...asking } = useAsking();
    if (!visible || asks === undefined) return <Text>no question</Text>;
    return (
      <PermissionDialog
        {...asking}
        {...{ visible, asks }}
        columns={60}
        rows={24}
        onStop={() => void log.push("stop")}
      />
    );
  }
  const { lastFrame, stdin, unmount } = render(
    keys.around(
      <HookEventProvider
        agent={{
          answerPermission(id: string, answer: PermissionAnswer) {
            log.push(`${answer.decision} ${id} ${"reason" in answer ? answer.reason : ""}`.trim());
            return true;
          },
          async allowRule(rule: string, scope: RuleScope) {
            log.push(`rule ${rule} for the ${scope}`);
            await keepRule?.();
          },
        }}
        onToDraft={({ typed }) => keys.router.toDraft(typed)}
        onInterrupt={() => void log.push("interrupt")}
        onMode={(mode) => void log.push(`mode ${mode}`)}
        onNotice={(text) => void log.push(`notice ${text}`)}
        listen={(onAgentEvent) => {
          open = onAgentEvent;
          return () => void log.push("stopped listening");
        }}
        clock={clock}
        {...props}
      >
        <Application />
      </HookEventProvider>,
    ),
  );
  const now = (): HookEvents => {
    if (!events) throw new Error("nothing was drawn");
    return events;
  };
  const agent = (event: AgentEvent) => {
    if (!open) throw new Error("nobody listens");
    open(event);
  };
  const ask = (id: string) => agent({ type: "permission_requested", request: pending({ id }) });
  const frame = () => lastFrame() ?? "";
  return {
    clock,
    keys,
    log,
    now,
    agent,
    ask,
    frame,
    unmount,
    type: stdin.write,
    started: () => eventually(() => expect(open).toBeDefined()),
    shows: (text: string) => eventually(() => expect(frame()).toContain(text)),
    /** On the screen, and the keyboard is its own; Ink connects it a moment after the drawing. */
    isUp: () => eventually(() => expect(stdin.listenerCount("readable")).toBeGreaterThan(0)),
  };
}

/** Drawing takes as long as it takes; only a hang fails. */
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 5 });

/** With a question on the screen that takes keys. */
async function upAndAsking(app: ReturnType<typeof start>): Promise<void> {
  await app.started();
  app.ask("r1");
  app.clock.pass(150);
  await app.shows("run a command");
  await takesKeys(app);
}

const takesKeys = (app: ReturnType<typeof start>) =>
  eventually(() => (app.clock.pass(700), expect(app.frame()).toContain("Enter choose")));

const cancelled = (id: string): AgentEvent => ({
  type: "permission_resolved",
  request: pending({ id }),
  decision: { decision: "deny", toolName: "Bash", timestamp: 0, shouldContinueRecursion: false },
  by: "cancelled",
});

describe("the context of hooks and questions", () => {
  it("holds the open questions, shows the first after 150 ms, and each is answered after a pause of its own (PD-4, PD-1, T71, T78)", async () => {
    const app = start();
    await app.started();
    expect(app.now()).toMatchObject({ pendingPermissions: [], isAwaitingPermission: false });
    app.ask("r1");
    app.ask("r2");
    app.clock.pass(149);
    await eventually(() => expect(app.now().isAwaitingPermission).toBe(true));
    expect(app.now().pendingPermissions.map(({ id }) => id)).toEqual(["r1", "r2"]);
    expect(app.frame()).toBe("no question");
    app.clock.pass(1);
    await app.shows("1 of 2");
    await app.isUp();
    app.type("y");
    app.clock.pass(699);
    app.type("y");
    expect([app.keys.draft, app.log]).toEqual(["yy", []]);
    app.clock.pass(700);
    app.type("y");
    expect([app.keys.draft, app.log]).toEqual(["yy", ["allow r1"]]);
    await app.shows("2 of 2");
    await app.shows("Typing still");
    app.clock.pass(699);
    app.type("y");
    expect([app.keys.draft, app.log]).toEqual(["yyy", ["allow r1"]]);
    await eventually(() => (app.clock.pass(700), expect(app.frame()).toContain("Enter choose")));
    app.type("p");
    await app.shows("no question");
    expect(app.log.slice(1)).toEqual([
      "rule Bash(git push:*) for the project",
      "notice allowed from now on by /home/me/project/.wave/settings.local.json: Bash(git push:*)",
      "allow r2",
    ]);
    await app.shows("no question");
    expect(app.now()).toMatchObject({ pendingPermissions: [], isAwaitingPermission: false });
  });

  it("takes a question away when it is cancelled elsewhere, and when the turn ends (PD-4, T75, T76)", async () => {
    const app = start();
    await app.started();
    for (const id of ["r1", "r2", "r3"]) app.ask(id);
    app.clock.pass(150);
    await app.shows("1 of 3");
    app.agent(cancelled("r1"));
    expect(app.now().resolvePendingPermission("r1", { decision: "allow" })).toBe(false);
    await app.shows("1 of 2");
    app.agent(ended());
    await app.shows("no question");
    expect(app.log).toEqual([]);
  });

  it("adds and resolves questions by its actions (PD-4)", async () => {
    const app = start();
    await app.started();
    app.now().addPendingPermission(pending({ id: "own" }));
    expect(app.now().resolvePendingPermission("own", { decision: "deny", reason: "not now" })).toBe(true);
    expect(app.now().resolvePendingPermission("own", { decision: "allow" })).toBe(false);
    expect(app.log).toEqual(["deny own not now"]);
  });

  it("keeps the loop waiting while it is paused (PD-4)", async () => {
    const app = start();
    await app.started();
    app.ask("r1");
    app.now().aiManagerCallbacks.pause();
    app.clock.pass(1_000);
    expect(app.now().resolvePendingPermission("r1", { decision: "allow" })).toBe(false);
    await eventually(() => expect(app.now().isAwaitingPermission).toBe(true));
    expect(app.frame()).toBe("no question");
    app.now().aiManagerCallbacks.resume();
    await app.shows("run a command");
    expect(app.now().resolvePendingPermission("r1", { decision: "deny" })).toBe(true);
    expect(app.log).toEqual(["deny r1"]);
  });

  it("remembers what hooks did, and forgets it when told (PD-4)", async () => {
    const app = start();
    await app.started();
    const run = { event: "Stop", hook: { name: "h", source: "s" }, toolUseId: undefined, runId: 7 } as const;
    app.agent({ type: "hook_started", ...run });
    app.agent({ type: "hook_finished", ...run, durationMs: 3, ended: "exit 2" });
    app.agent(decided({ hooks: [hookEntry()] }));
    await eventually(() =>
      expect(app.now().hookExecutionHistory).toMatchObject([
        { kind: "run", runId: 7, at: Date.UTC(2026, 0, 1), finished: { ended: "exit 2" } },
        { kind: "decision" },
      ]),
    );
    app.now().clearHookHistory();
    await eventually(() => expect(app.now().hookExecutionHistory).toEqual([]));
  });

  it("takes valid preferences, hands them on to be kept, and refuses others with a reason (PD-4)", async () => {
    const kept: object[] = [];
    const app = start({ onPreferencesChange: (preferences) => void kept.push(preferences) });
    await app.started();
    expect(app.now().updateUserPreferences({ historyEntries: 20 })).toMatchObject({ valid: true });
    expect(app.now().updateUserPreferences({ historyEntries: -1 })).toEqual({
      valid: false,
      problem: expect.stringContaining("historyEntries"),
    });
    await eventually(() => expect(app.now().userPreferences.historyEntries).toBe(20));
    expect(kept).toMatchObject([{ historyEntries: 20 }]);
  });

  it("asks again and says why when the rule cannot be kept, and allow once is left (T80)", async () => {
    const writing = Promise.withResolvers<void>();
    const app = start({ keepRule: () => writing.promise });
    await upAndAsking(app);
    app.type("s");
    await app.shows("Keeping the rule");
    writing.reject(new Error("settings.json cannot be written"));
    await app.shows("not kept: settings.json cannot be written");
    expect(app.log).toEqual(["rule Bash(git push:*) for the session"]);
    await takesKeys(app);
    app.type("y");
    expect(app.log.slice(1)).toEqual(["allow r1"]);
  });

  it("is the same value after a key in the dialog, so that nobody else is drawn again (PD-4)", async () => {
    const app = start();
    await upAndAsking(app);
    const before = app.now();
    app.type("\u001b[B");
    await app.shows("› s");
    expect(app.now()).toBe(before);
  });

  it("asks and is answered on the real clock, too (PD-1)", async () => {
    const app = start({ clock: systemClock });
    await app.started();
    app.ask("r1");
    await app.shows("Enter choose");
    app.type("y");
    expect(app.log).toEqual(["allow r1"]);
  });

  it("stops listening when it is taken down", async () => {
    const app = start();
    await app.started();
    app.unmount();
    await eventually(() => expect(app.log).toEqual(["stopped listening"]));
  });

  it.each([
    ["useHookEvents", useHookEvents],
    ["useAsking", useAsking],
  ])("is missed aloud: %s without the provider throws (PD-4)", async (name, hook) => {
    const caught: unknown[] = [];
    class Catching extends Component<{ children: ReactNode }> {
      override state = { failed: false };
      static getDerivedStateFromError = () => ({ failed: true });
      override componentDidCatch = (error: unknown) => void caught.push(error);
      override render = () => (this.state.failed ? null : this.props.children);
    }
    function Lost(): ReactNode {
      hook();
      return null;
    }
    render(
      <Catching>
        <Lost />
      </Catching>,
    );
    expect(String(caught[0])).toContain(`${name} needs a <HookEventProvider> above it`);
  });
});
