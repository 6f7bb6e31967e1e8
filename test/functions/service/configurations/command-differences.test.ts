import { expect, it } from "vitest";
import { commandDifferences } from "../../../../functions/service/configurations/command-differences.ts";

it("names each place that differs, with null where one command has nothing", () => {
  const from = { ocr: "AUTO", pageRange: [1, 2], metadata: { "a/b~c": 1, same: { x: [] } }, prompt: "one" };
  const to = { ocr: "PREMIUM", pageRange: [1, 3, 4], metadata: { "a/b~c": 2, same: { x: [] } }, llm: "HIGH" };
  expect(commandDifferences(from, to)).toEqual([
    { path: "/ocr", from: "AUTO", to: "PREMIUM" },
    { path: "/pageRange/1", from: 2, to: 3 },
    { path: "/pageRange/2", from: null, to: 4 },
    { path: "/metadata/a~1b~0c", from: 1, to: 2 },
    { path: "/prompt", from: "one", to: null },
    { path: "/llm", from: null, to: "HIGH" },
  ]);
  expect(commandDifferences(from, structuredClone(from))).toEqual([]);
});

it("goes on into schemas, which are stored as text", () => {
  const withType = (type: string) => JSON.stringify({ type: "object", properties: { total: { type } } });
  const header = (type: string) => ({ mapReduce: { header: { schema: withType(type) } } });
  expect(commandDifferences({ schema: withType("string") }, { schema: withType("number") })).toEqual([
    { path: "/schema/properties/total/type", from: "string", to: "number" },
  ]);
  expect(commandDifferences(header("string"), header("number"))).toMatchObject([
    { path: "/mapReduce/header/schema/properties/total/type" },
  ]);
  // The same schema in another layout of its text is no change.
  expect(commandDifferences({ schema: '{"a":1}' }, { schema: '{ "a": 1 }' })).toEqual([]);
});

it("compares values of different kinds, texts that are no JSON, and very deep schemas as a whole", () => {
  const deep = "[".repeat(5000) + "]".repeat(5000);
  expect(commandDifferences({ a: [1], schema: "{" }, { a: { 0: 1 }, schema: deep })).toEqual([
    { path: "/a", from: [1], to: { 0: 1 } },
    { path: "/schema", from: "{", to: deep },
  ]);
});
