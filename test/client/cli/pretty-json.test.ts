import { expect, test } from "vitest";
import { prettyJson } from "../../../client/cli/pretty-json.ts";

test.each([
  null,
  "",
  [],
  {},
  [[]],
  { a: {}, b: [], "": [1, [true, null]] },
  { 'quo"te': 'back\\slash \\" [{,:}] \n\t', emoji: "📄", empty: "" },
  [-1.5e-7, "\\", '\\"', "  spaces  kept  "],
])("equals the output of JSON.stringify: %j", (value) => {
  const pretty = JSON.stringify(value, null, 2);
  expect(prettyJson(JSON.stringify(value))).toBe(pretty);
  expect(prettyJson(pretty)).toBe(pretty);
});

test("keeps digits, the order of members, and duplicate members, which parsing would lose", () => {
  expect(prettyJson('{"2":1.0,"1":12345678901234567890,"1":1e400}')).toBe(
    '{\n  "2": 1.0,\n  "1": 12345678901234567890,\n  "1": 1e400\n}',
  );
});

test("handles a very long string", () => {
  const text = JSON.stringify("line\n".repeat(1_000_000));
  expect(prettyJson(text)).toBe(text);
});
