import { userInfo } from "node:os";
import { expect, it } from "vitest";
import { personHome } from "@/workspace/personHome.ts";

it.each([
  ["/home/a", "/home/a"],
  ["", userInfo().homedir],
  [".", userInfo().homedir],
  ["project", userInfo().homedir],
])("HOME=%j is a home only where it is a whole path (G18, G21)", (HOME, home) => {
  expect(personHome({ HOME })).toBe(home);
});
