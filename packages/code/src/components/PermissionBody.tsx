import { Box, Text } from "ink";
import type { ReactNode } from "react";
import type { Row } from "../asking/layout.ts";
import { usePlain, useTheme, type Theme, type ToneStyle } from "../theme.ts";
import { plainSigns } from "../utils/plainSigns.ts";

interface BodyProps {
  /** Stays where it is. */
  pinned: readonly Row[];
  rows: readonly Row[];
  top: number;
  page: number;
  /** Behind the word about what is out of sight: the keys that show it, where nothing else names them. */
  keys: string;
  /** In the place of the word about what is out of sight. */
  instead?: string;
}

/** As many rows of a request as there is room for, and a word about those that are out of sight. */
export function PermissionBody({ pinned, rows, top, page, keys, instead }: BodyProps): ReactNode {
  const theme = useTheme();
  const shown = rows.slice(top, top + page);
  const below = rows.length - top - shown.length;
  return (
    <Box flexDirection="column">
      {pinned.map((row, index) => (
        <BodyRow key={`pinned ${index}`} row={row} />
      ))}
      {shown.map((row, index) => (
        <BodyRow key={top + index} row={row} />
      ))}
      {rows.length > page ? (
        <Text {...theme.warning} wrap="truncate-end">
          {instead ??
            `rows ${top + 1}–${top + shown.length} of ${rows.length}${below > 0 ? `, ${below} below` : ""}${keys}`}
        </Text>
      ) : null}
    </Box>
  );
}

function BodyRow({ row }: { row: Row }): ReactNode {
  const theme = useTheme();
  const gutter = usePlain() ? plainSigns(row.gutter) : row.gutter;
  return (
    <Text wrap="truncate-end" {...styleOf(row.tone, theme)}>
      <Text {...theme.dim}>{gutter}</Text>
      {row.pieces.map((piece, index) =>
        piece.hidden ? (
          <Text key={index} inverse {...theme.danger}>
            {piece.text}
          </Text>
        ) : (
          piece.text
        ),
      )}
    </Text>
  );
}

function styleOf(tone: Row["tone"], theme: Theme): ToneStyle {
  switch (tone) {
    case "before":
      return theme.removed;
    case "after":
      return theme.added;
    case "heading":
      return theme.dim;
    default:
      return {};
  }
}
