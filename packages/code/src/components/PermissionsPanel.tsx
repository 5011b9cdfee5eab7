import type { ListedRule, RecentDecisions, RuleChange } from "wave-agent-sdk";
import { bodyHeight } from "../panels/frame.ts";
import { plural } from "../panels/hookWords.ts";
import { say, wrapLine } from "../panels/lines.ts";
import { MARK_WIDTH, windowAround } from "../panels/listWindow.ts";
import {
  fileWords,
  formLines,
  PERMISSION_ROW_HEIGHT,
  permissionItem,
  permissionRows,
  permissionsKeys,
  pressInPermissions,
  type PermissionRow,
  type PermissionsEffect,
  type PermissionsPlace,
} from "../panels/permissions.ts";
import { Lines } from "./Lines.tsx";
import { Panel } from "./Panel.tsx";
import { SelectList } from "./SelectList.tsx";
import { usePanel } from "./usePanel.ts";

export interface PermissionsPanelProps {
  rules: readonly ListedRule[];
  /** Where a rule can be kept. */
  files: readonly string[];
  /** Undefined while the sessions are read. */
  recent: RecentDecisions | undefined;
  folder: string;
  /** What became of the last change, or why it was refused. */
  said: string | undefined;
  /** Milliseconds since the epoch. */
  now: number;
  columns: number;
  /** Lines the panel may take. */
  rows: number;
  onChange: (change: RuleChange) => void;
  onSay: (words: string) => void;
  onClose: () => void;
}

/** Every rule with its file and what it matched, what was denied, and a form to add, edit and move rules. */
export function PermissionsPanel(props: PermissionsPanelProps) {
  const { rules, files, recent, folder, said, now, columns, rows, onChange, onSay, onClose } = props;
  const list = permissionRows(rules, recent ?? { decisions: [] }, now);
  const notice = said === undefined ? [] : wrapLine([say("warn", said)], columns);
  const height = bodyHeight({ rows, columns, keys: permissionsKeys("list") }) - notice.length;
  const { to: page } = windowAround({
    count: list.length,
    selected: 0,
    itemHeight: PERMISSION_ROW_HEIGHT,
    height,
  });
  const [place, change, asks] = usePanel<PermissionsPlace, PermissionsEffect>({
    name: "permissions",
    first: () => ({ at: "list", selected: 0 }),
    press: (before, press) => pressInPermissions(before, press, { rows: list, files, page }),
    carryOut: (effect) => {
      if (effect.do === "open") change(() => effect.place);
      else if (effect.do === "change") onChange(effect.change);
      else if (effect.do === "say") onSay(effect.words);
      else onClose();
    },
    asks: (state) => (state.at === "list" ? `list ${keyOf(list[state.selected])}` : state.at),
    letters: ({ at }) => (at === "form" ? "are-typed" : "are-keys"),
    paste: (state, text) =>
      state.at === "form"
        ? { ...state, form: { ...state.form, text: state.form.text + text.replaceAll(/\s+/g, " ") } }
        : undefined,
  });
  return (
    <Panel
      asks={asks}
      title={TITLES[place.at]}
      summary={place.at === "list" ? plural(rules.length, "rule") : ""}
      keys={permissionsKeys(place.at)}
      columns={columns}
    >
      <Lines lines={notice} />
      {place.at === "form" && <Lines lines={formLines(place.form, files, folder, columns)} />}
      {place.at === "remove" && (
        <Lines
          lines={wrapLine(
            [
              say(
                "plain",
                `Remove the ${place.rule.behavior} rule ${place.rule.rule} from ${fileWords(place.rule.file, folder)}?`,
              ),
            ],
            columns,
          )}
        />
      )}
      {place.at === "list" && list.length === 0 && (
        <Lines lines={wrapLine([say("dim", recent ? NONE : READING)], columns)} />
      )}
      {place.at === "list" && list.length > 0 && (
        <SelectList
          items={list}
          keyOf={keyOf}
          linesOf={(row) => permissionItem(row, { columns: columns - MARK_WIDTH, folder, now })}
          itemHeight={PERMISSION_ROW_HEIGHT}
          height={height}
          selected={Math.min(place.selected, list.length - 1)}
        />
      )}
    </Panel>
  );
}

const TITLES: Record<PermissionsPlace["at"], string> = {
  list: "Permissions",
  form: "Permission rule",
  remove: "Remove a rule",
};

const NONE = "There are no rules yet, and nothing was denied lately. Press a to add a rule.";
const READING = "Reading the last sessions…";

function keyOf(row: PermissionRow | undefined): string {
  if (!row) return "";
  if (row.is === "denied") return `denied ${row.call.ts} ${row.call.toolUseId ?? ""}`;
  const { behavior, rule, file, scope } = row.rule;
  return [behavior, rule, file ?? scope].join(" ");
}
