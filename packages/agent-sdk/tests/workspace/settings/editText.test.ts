import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { parseTree, printParseErrorCode, type ParseError } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { editText, type SettingsEdit } from "@/workspace/settings/editText.ts";
import { nodeOfJson, plainValue } from "@/workspace/settings/node.ts";

const addRule: SettingsEdit = { do: "add", path: ["permissions", "allow"], item: "Bash(ls)" };
const remove = (item: unknown, ...path: string[]): SettingsEdit => ({ do: "remove", path, item });
const set = (value: unknown, ...path: string[]): SettingsEdit => ({ do: "set", path, value });

function edited(text: string, edit: SettingsEdit): string {
  const result = editText(text, edit);
  if (!result.edited) throw new Error(result.message);
  return result.text;
}

/** What stands in the file before, the edit, and what stands there after. */
const rows: [string, string, SettingsEdit, string][] = [
  [
    "a file that is not there yet",
    "",
    addRule,
    '{\n  "permissions": {\n    "allow": [\n      "Bash(ls)"\n    ]\n  }\n}\n',
  ],
  ["a file of comments", "// mine", set(1, "a"), '// mine\n{\n  "a": 1\n}\n'],
  ["an empty object", "{}\n", set("x", "model"), '{\n  "model": "x"\n}\n'],
  [
    "a list whose last entry has a comment",
    '{\n  "permissions": {\n    "allow": [\n      "Read" // all\n      // "Edit"\n    ]\n  }\n}\n',
    addRule,
    '{\n  "permissions": {\n    "allow": [\n      "Read", // all\n      "Bash(ls)"\n      // "Edit"\n    ]\n  }\n}\n',
  ],
  [
    "a list with a comma at its end",
    '{\n\t"permissions": {\n\t\t"allow": [\n\t\t\t"Read", /* all */ // really\n\t\t],\n\t},\n}',
    addRule,
    '{\n\t"permissions": {\n\t\t"allow": [\n\t\t\t"Read", /* all */ // really\n\t\t\t"Bash(ls)",\n\t\t],\n\t},\n}',
  ],
  [
    "a list on one line",
    '{ "permissions": { "allow": ["Read" /* all */] } }',
    addRule,
    '{ "permissions": { "allow": ["Read" /* all */, "Bash(ls)"] } }',
  ],
  ["the first of a line", '{"a": ["x", "y"]}', remove("x", "a"), '{"a": ["y"]}'],
  ["the last of a line", '{"a": ["x", "y"]}', remove("y", "a"), '{"a": ["x"]}'],
  ["the only name", '{"a": {"x": 1}}', { do: "delete", path: ["a", "x"] }, '{"a": {}}'],
  ["a name that is not there", '{"a": {"x": 1}}', { do: "delete", path: ["a", "y"] }, '{"a": {"x": 1}}'],
  [
    "a name with its comment",
    '{\n  "a": {\n    // first\n    "x": { "y": 1 }, // one\n    "z": 2\n  }\n}\n',
    { do: "delete", path: ["a", "x"] },
    '{\n  "a": {\n    // first\n    "z": 2\n  }\n}\n',
  ],
  ["the only one", '{"a": ["x"]}', remove("x", "a"), '{"a": []}'],
  [
    "one with a comment, which goes with it",
    '{\n  "a": [\n    // both\n    "x", // mine\n    "y" // yours\n  ]\n}\n',
    remove("y", "a"),
    '{\n  "a": [\n    // both\n    "x" // mine\n  ]\n}\n',
  ],
  [
    "one between others",
    '{\n  "a": [\n    "x",\n    "y", // this\n    "z",\n  ]\n}\n',
    remove("y", "a"),
    '{\n  "a": [\n    "x",\n    "z",\n  ]\n}\n',
  ],
  ["a list that is not there", '{"b": 1}', remove("y", "a"), '{"b": 1}'],
  [
    "a list on one line with a comma at its end",
    '{"permissions":{"allow":["Read",]}}',
    addRule,
    '{"permissions":{"allow":["Read", "Bash(ls)",]}}',
  ],
  [
    "a list with nothing but a comment in it",
    '{\n  "permissions": {\n    "allow": [ // none\n    ]\n  }\n}',
    addRule,
    '{\n  "permissions": {\n    "allow": [ // none\n      "Bash(ls)"\n    ]\n  }\n}',
  ],
  [
    "an object whose last entry has a comment",
    '{\n    "model": "x" // mine\n}\n',
    addRule,
    '{\n    "model": "x", // mine\n    "permissions": {\n        "allow": [\n            "Bash(ls)"\n        ]\n    }\n}\n',
  ],
  [
    "Windows line ends",
    '{\r\n  "a": 1\r\n}\r\n',
    set({ deep: true }, "b"),
    '{\r\n  "a": 1,\r\n  "b": {\r\n    "deep": true\r\n  }\r\n}\r\n',
  ],
  [
    "brackets that open and close beside their entries",
    '{"a": [1,\n 2]}',
    { do: "add", path: ["a"], item: 3 },
    '{"a": [1,\n 2,\n 3]}',
  ],
  [
    "a value that is there",
    '{\n  "model": "x", // mine\n  "a": 1\n}',
    set({ b: [1] }, "model"),
    '{\n  "model": {\n    "b": [\n      1\n    ]\n  }, // mine\n  "a": 1\n}',
  ],
  ["names such as __proto__", '{"__proto__": {}}', set(1, "__proto__", "a"), '{"__proto__": {\n  "a": 1\n}}'],
  [
    "an object that is null",
    '{\n  "a": null // gone\n}',
    set(1, "a", "b"),
    '{\n  "a": {\n    "b": 1\n  } // gone\n}',
  ],
  [
    "a list that is null",
    '{"permissions": {"allow": null}}',
    addRule,
    '{"permissions": {"allow": [\n  "Bash(ls)"\n]}}',
  ],
  ["what is in the list already", '{"permissions":{"allow":["Bash(ls)"]}}', addRule, "same"],
  ["what has that value already", '{ "a": {"b": [1]} }', set({ b: [1] }, "a"), "same"],
];

describe("an edit of settings", () => {
  it.each(rows)(
    "of %s changes only its value, and keeps every comment (T175)",
    (_what, before, edit, after) => {
      expect(edited(before, edit)).toBe(after === "same" ? before : after);
    },
  );

  it.each<[string, string, { path: string; line: number; message: string }]>([
    [
      "a list that is a text",
      '{\n "permissions": {\n  "allow": "Bash"\n }\n}',
      { path: "permissions.allow", line: 3, message: '"allow" must be a list, not "Bash"' },
    ],
    [
      "an object that is a list",
      '{\n\n "permissions": []}',
      { path: "permissions", line: 3, message: '"permissions" must be an object, not a list' },
    ],
    [
      "a name that is there twice, of which only the last counts",
      '{\n "permissions": {},\n "permissions": {}}',
      {
        path: "permissions",
        line: 3,
        message: '"permissions" is here a second time; leave one of the two',
      },
    ],
  ])("refuses %s, and says where (T52)", (_what, text, { path, line, message }) => {
    expect(editText(text, addRule)).toEqual({ edited: false, place: { path, line }, message });
  });

  it("gives valid settings with exactly that change, and every comment, whatever the file looks like (T174, T175)", () => {
    fc.assert(
      fc.property(settingsText, fc.constantFrom("a", "b", "__proto__", "permissions"), (text, name) => {
        const before = valueOf(text);
        const list: unknown = isRecord(before) && Object.hasOwn(before, name) ? before[name] : undefined;
        if (Array.isArray(list) || list === undefined) {
          const after = edited(text, { do: "add", path: [name], item: "new" });
          expectKept(text, after);
          expect(entriesOf(valueOf(after))).toEqual(
            withEntry(entriesOf(before), name, [...(Array.isArray(list) ? list : []), "new"]),
          );
        }
        const after = edited(text, set({ x: ["new"] }, name));
        if (list === undefined) expectKept(text, after);
        expect(entriesOf(valueOf(after))).toEqual(withEntry(entriesOf(before), name, { x: ["new"] }));
        expect(edited(after, set({ x: ["new"] }, name))).toBe(after);
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes one value out of a list and leaves every other where it was", () => {
    fc.assert(
      fc.property(settingsText, fc.constantFrom("a", "b", "permissions"), fc.nat(3), (text, name, at) => {
        const before = valueOf(text);
        const list: unknown = isRecord(before) ? before[name] : undefined;
        if (!Array.isArray(list)) return;
        const item: unknown = list[at] ?? "not there";
        const after = edited(text, { do: "remove", path: [name], item });
        const rest = list.filter((one) => !isDeepStrictEqual(one, item));
        expect(entriesOf(valueOf(after))).toEqual(withEntry(entriesOf(before), name, rest));
        if (rest.length === list.length) expect(after).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Text of a settings file with comments, blanks and commas wherever they may be. */
const gap = fc.constantFrom(
  "",
  " ",
  "\n",
  "\r\n  ",
  " // a comment\n",
  "/* one */",
  "\n\t/* two\nlines */\n",
);
const leaf = fc.constantFrom('"text, with ] } // in it"', "1", "null", '"/* no comment */"');
const { value: jsonValue } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small" }, leaf, tie("list"), tie("object")),
  list: inBrackets("[", fc.array(tie("value").map(String), { maxLength: 3 }), "]"),
  object: inBrackets("{", fieldsOf(tie("value").map(String)), "}"),
}));
const settingsText = fc
  .tuple(gap, inBrackets("{", fieldsOf(jsonValue.map(String)), "}"), gap)
  .map((parts) => parts.join(""));

function fieldsOf(value: fc.Arbitrary<string>): fc.Arbitrary<string[]> {
  const name = fc.constantFrom("a", "b", "c", "__proto__", "permissions");
  return fc
    .uniqueArray(fc.tuple(name, gap, gap, value), { selector: ([key]) => key, maxLength: 4 })
    .map((fields) => fields.map(([key, one, two, content]) => `"${key}"${one}:${two}${content}`));
}

function inBrackets(open: string, entries: fc.Arbitrary<string[]>, close: string): fc.Arbitrary<string> {
  return fc
    .tuple(entries, fc.array(gap, { minLength: 9, maxLength: 9 }), fc.boolean())
    .map(([list, gaps, comma]) => {
      const spaced = list.map((entry, at) => `${gaps[at]}${entry}${gaps[at + 4]}`);
      return open + spaced.join(",") + (comma && list.length > 0 ? "," : "") + gaps[8] + close;
    });
}

function valueOf(text: string): unknown {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) throw new Error(`${printParseErrorCode(first.error)} in ${text}`);
  if (!tree) throw new Error(`nothing in ${text}`);
  return plainValue(nodeOfJson(tree, () => 0));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
const entriesOf = (value: unknown) => (isRecord(value) ? Object.entries(value) : []);

function withEntry(entries: [string, unknown][], name: string, value: unknown): [string, unknown][] {
  const at = entries.findIndex(([key]) => key === name);
  return at < 0 ? [...entries, [name, value]] : entries.with(at, [name, value]);
}

/** Nothing of the old text is gone: it is the new one with something put in. */
function expectKept(before: string, after: string): void {
  let at = 0;
  for (const letter of before) {
    at = after.indexOf(letter, at) + 1;
    if (at === 0) throw new Error(`something is gone from\n${before}\nin\n${after}`);
  }
}
