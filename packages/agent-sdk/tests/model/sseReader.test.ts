import { describe, expect, it } from "vitest";
import { SseReader } from "@/model/sseReader.ts";

function read(pieces: string[]): string[] {
  const reader = new SseReader();
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

describe("server-sent events", () => {
  const rows: [string, string, string[]][] = [
    ["one event per blank line", "data: a\n\ndata: b\n\n", ["a", "b"]],
    ["a missing space after the colon", "data:a\n\n", ["a"]],
    ["only one space taken from the data", "data:  a\n\n", [" a"]],
    ["several lines of data as one event", "data: a\ndata: b\n\n", ["a\nb"]],
    ["CRLF", "data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", ["a\nb", "c"]],
    ["CR alone", "data: a\r\rdata: b\r\r", ["a", "b"]],
    ["comments, names and ids left out", ": ping\n\nevent: error\nid: 1\nretry: 3\ndata: a\n\n", ["a"]],
    ["a last event without its blank line", "data: a\n\ndata: b\n", ["a", "b"]],
    ["a last line without its end", "data: a\n\ndata: b", ["a", "b"]],
    ["an event with empty data", "data:\n\n", [""]],
    ["nothing", "", []],
  ];

  it.each(rows)("are read with %s, whole and cut at every place", (_what, text, events) => {
    expect(read([text])).toEqual(events);
    for (let at = 0; at <= text.length; at++)
      expect(read([text.slice(0, at), text.slice(at)])).toEqual(events);
    expect(read(text.split(""))).toEqual(events);
  });
});
