import { expect, test } from "vitest";
import { alignCharacters } from "../../../../../functions/adapters/local/ocr/align-characters.ts";

test.each<[string, string, (number | undefined)[]]>([
  ["abc", "abc", [0, 1, 2]],
  ["Cafe", "Café", [0, 1, 2, 3]],
  ["abc", "axc", [0, undefined, 2]],
  ["ac", "abc", [0, 2]],
  ["abc", "ac", [0, undefined, 1]],
  ["abc", "", [undefined, undefined, undefined]],
  ["", "abc", []],
])("alignCharacters: %j beside %j", (own, other, expected) => {
  expect(alignCharacters(own, other)).toEqual(expected);
});
