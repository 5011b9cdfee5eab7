import { Box, Text } from "ink";
import { useMemo, type ReactNode } from "react";
import stringWidth from "string-width";
import { arrange } from "../asking/arrange.ts";
import { CONFIRM_KEY, helpRows, KEY_HELP, SCROLL } from "../asking/choices.ts";
import { describeRequest } from "../asking/describe.ts";
import { fit, isStepBack, tooSmallWords } from "../asking/fit.ts";
import { layOut } from "../asking/layout.ts";
import { listChoices } from "../asking/listChoices.ts";
import { packChoices } from "../asking/packChoices.ts";
import { offeredChoices, type VisibleRequest } from "../asking/openRequests.ts";
import { type Seen } from "../asking/queue.ts";
import { unseenIn } from "../asking/shown.ts";
import { count as counted } from "../asking/sizes.ts";
import type { Typed } from "../asking/typed.ts";
import { useCover, useListening } from "../keyboard/Keyboard.tsx";
import { printableLine } from "../utils/printable.ts";
import { usePlain, useTheme } from "../theme.ts";
import { PermissionBody } from "./PermissionBody.tsx";
import { PermissionChoices, PermissionWords } from "./PermissionChoices.tsx";

const CONFIRM = `! Press ${CONFIRM_KEY} to run it all the same`;

export interface PermissionDialogProps {
  visible: VisibleRequest;
  /** "1 of 3". */
  count: { at: number; of: number };
  /** The room it may take. Keys that are not for it are the queue's to pass on. */
  columns: number;
  rows: number;
  shows?: "fields" | "json";
  /** What is asked, and a key that may answer it. Without `seen`: nothing of the question could be seen. */
  asks: string;
  onTyped: (typed: Typed, seen: Seen | undefined) => string | undefined;
  onEarly: (typed: Typed) => boolean;
  /** Ctrl-C, whenever it comes: a question is part of the work that it stops. */
  onStop: () => void;
  isPaused?: boolean;
}

/** One request, whole: who wants what, why it is asked, and what can be done about it. It decides nothing: keys go to the queue. */
export function PermissionDialog(props: PermissionDialogProps): ReactNode {
  const { visible, columns, onTyped } = props;
  const { request, inputHash, dialog, hidden } = visible;
  const theme = useTheme();
  const border = theme.warning.color === undefined ? {} : { borderColor: theme.warning.color };
  const framed = !usePlain() && columns >= 50 && props.rows >= 14;
  const width = framed ? columns - 4 : columns;
  const choices = offeredChoices(visible);
  const { notKept } = dialog;

  const description = useMemo(
    () => describeRequest(request, { shows: props.shows ?? "fields", rule: visible.rule, notKept }),
    [request, props.shows, visible.rule, notKept],
  );
  const counter = props.count.of > 1 ? ` ${props.count.at} of ${props.count.of}` : "";
  const { folder } = description;
  const withFolder = folder === undefined ? description.title : `${description.title} in ${folder}`;
  const place = stringWidth(withFolder + counter) <= width ? "in-title" : "own-row";
  const body = useMemo(() => layOut(description, width, place), [description, width, place]);
  const isWriting = dialog.mode.is === "writing";
  const [listed, packed] = [listChoices(choices, width), packChoices(choices, width)];
  const sizes = {
    all: props.rows,
    fixed: 1 + (hidden > 0 ? 1 : 0) + (framed ? 2 : 0),
    listed: isWriting ? 2 : listed.length,
    packed: isWriting ? 1 : packed.length,
  };
  // Whatever keys are named: one that comes back into sight has to be read first.
  const size = fit(body, { ...sizes, help: 0 }).as === "too-small" ? " too small" : "";
  const { asks } = useCover({
    name: "question",
    came: "by-itself",
    asks: `${props.asks}${size}`,
    waitsFor: request.id,
    isDeaf: props.isPaused ?? false,
    onKey: (typed) => {
      const next = onTyped(typed, isTooSmall && !isStepBack(typed, dialog.mode.is) ? undefined : seen);
      return next === undefined ? undefined : `${next}${size}`;
    },
    onEarly: props.onEarly,
    onCancel: props.onStop,
  });
  const { listens } = useListening(asks);
  const keys = listens ? KEY_HELP[dialog.mode.is] : KEY_HELP.toDraft;
  // The same before and after it listens: nothing moves under a finger that is about to answer.
  const help = Math.max(
    ...[KEY_HELP[dialog.mode.is], KEY_HELP.toDraft].map((one) => helpRows(one, width).length),
  );
  const fits = fit(body, { ...sizes, help });
  const isTooSmall = fits.as === "too-small";
  const room = isTooSmall ? 0 : fits.room;
  const { pinned, rows, mustSee, page } = arrange(body, room, width);
  const isStill = page === rows.length;
  const still = isStill ? keys.filter((key) => key !== SCROLL) : keys;
  const shownHelp = !isTooSmall && fits.help === "shown" ? helpRows(still, width) : [];
  const lastTop = Math.max(0, rows.length - page);

  // Nothing is marked while no key takes it: seen where there is no room for words, too.
  const selected = listens ? dialog.selected : undefined;
  const { id } = request;
  const top = Math.min(dialog.top, lastTop);
  const seen: Seen = { id, inputHash, top, page, lastTop, mustSee, width };
  const unseen = dialog.mode.is === "confirming" ? (unseenIn(dialog.shown, seen)?.count ?? 0) : 0;

  if (isTooSmall)
    return (
      <Text bold {...theme.warning} wrap="truncate-end">
        {tooSmallWords(description.title, dialog.mode.is, columns)}
      </Text>
    );
  return (
    <Box
      flexDirection="column"
      flexShrink={0}
      width={columns}
      {...(framed ? { borderStyle: "round" as const, paddingX: 1, ...border } : {})}
    >
      <Box justifyContent="space-between" width={width}>
        <Text bold wrap="truncate-end">
          {description.title}
          {place === "in-title" && folder !== undefined ? <Text bold={false}>{` in ${folder}`}</Text> : null}
        </Text>
        {counter === "" ? null : <Text {...theme.dim}>{counter}</Text>}
      </Box>
      <PermissionBody
        pinned={pinned}
        rows={rows}
        top={top}
        page={page}
        keys={shownHelp.length === 0 ? ` · ${SCROLL}` : ""}
        {...(unseen > 0 ? { instead: unseenWords(unseen, width) } : {})}
      />
      {hidden > 0 ? (
        <Text {...theme.danger} bold wrap="truncate-end">
          {dialog.mode.is === "confirming" && unseen === 0
            ? CONFIRM
            : `! ${counted(hidden, "hidden character")}, spelled out`}
        </Text>
      ) : null}
      {isWriting ? (
        <PermissionWords
          to={request.wants && printableLine(request.askedBy.join(", "))}
          words={dialog.words}
          width={width}
          isShort={fits.as === "packed"}
        />
      ) : (
        <PermissionChoices
          rows={fits.as === "packed" ? packed : listed}
          as={fits.as === "packed" ? "packed" : "listed"}
          selected={selected}
        />
      )}
      {shownHelp.map((row) => (
        <Text key={row} {...theme.dim} wrap="truncate-end">
          {row}
        </Text>
      ))}
    </Box>
  );
}

function unseenWords(unseen: number, width: number): string {
  const whole = `! ${counted(unseen, "row")} not seen yet: PgDn, or ${CONFIRM_KEY} to allow unseen`;
  return whole.length <= width ? whole : `! ${counted(unseen, "row")} unseen: PgDn, or ${CONFIRM_KEY} allows`;
}
