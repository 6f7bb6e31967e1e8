/** Clients of the last release go on working, or CHANGELOG says how they do not. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/import-graph.ts";
import { type BreakingChange, breakingChanges } from "./breaking-changes.ts";
import { OPENAPI_FILE } from "./openapi-file.ts";

/** The last release, whose document lies beside this test. */
const RELEASED = "0.1.0";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** The list "Breaking" of what is not released yet. */
function breakingList(): string {
  const unreleased = read("CHANGELOG.md").split(/^## /m)[1] ?? "";
  expect(unreleased, "the first section of CHANGELOG.md").toMatch(/^Unreleased/);
  return unreleased.split(/^### /m).find((part) => part.startsWith("Breaking")) ?? "";
}

/** A change is named by its member's name, or by the call, in backticks. */
const isNamed = (list: string, { call, name }: BreakingChange): boolean =>
  list.includes(`\`${name === "" ? call : name.split(".").at(-1)}\``);

describe("the API since the last release", () => {
  it(`breaks no client of ${RELEASED} without a line under Breaking in CHANGELOG.md`, () => {
    const changes = breakingChanges(JSON.parse(read(`test/openapi/${RELEASED}.json`)), JSON.parse(read(OPENAPI_FILE)));
    const list = breakingList();
    const untold = changes.filter((change) => !isNamed(list, change));
    expect(untold.map(({ call, name, sentence }) => `${call}: ${name} ${sentence}`)).toEqual([]);
    // The comparison sees something: this release has told changes.
    expect(changes.length).toBeGreaterThan(0);
  });
});

const answers = (schema: unknown) => ({ responses: { 200: { content: { "application/json": { schema } } } } });
const asks = (schema: unknown, more = {}) => ({
  requestBody: { content: { "application/json": { schema } }, ...more },
  ...answers({ type: "object" }),
});
const api = (operation: unknown, components = {}) => ({ paths: { "/a": { post: operation } }, components });
const object = (properties: Record<string, unknown>, required: string[] = [], more = {}) => ({
  type: "object",
  properties,
  required,
  ...more,
});
const text = { type: "string" };
const broken = (before: unknown, after: unknown): string[] =>
  breakingChanges(before, after).map(({ call, name, sentence }) => `${call} ${name} ${sentence}`);

describe("breakingChanges", () => {
  it("finds a call, a status and a media type that are gone", () => {
    expect(broken(api(answers(text)), { paths: {} })).toEqual(["POST /a  is gone"]);
    const other = { responses: { 201: answers(text).responses[200] } };
    expect(broken(api(answers(text)), api(other))).toEqual(["POST /a 200 is no longer an answer"]);
    const plain = { responses: { 200: { content: { "text/plain": { schema: text } } } } };
    expect(broken(api(answers(text)), api(plain))).toEqual([
      "POST /a application/json is no longer a media type of the answer",
    ]);
  });

  it("finds members of answers that are gone, may be absent, or have another type", () => {
    const before = api(answers(object({ a: text, b: text, c: { type: "integer" }, d: text }, ["a", "b"])));
    const after = api(
      answers(object({ b: text, c: { type: "number" }, d: { anyOf: [text, { type: "null" }] } }, ["c"])),
    );
    expect(broken(before, after)).toEqual([
      "POST /a a is gone",
      "POST /a b may now be absent",
      "POST /a c may now be number",
      "POST /a d may now be null",
    ]);
    const back = api(answers(object({ b: text, c: { type: "integer" }, d: text }, ["c"])));
    expect(broken(after, back)).toEqual([]);
  });

  it("finds requests that are taken no more", () => {
    const before = api(asks(object({ a: text, b: { enum: ["x", "y"] }, c: text, d: { type: "array", items: text } })));
    const after = api(
      asks(
        object(
          {
            b: { enum: ["x"] },
            c: { ...text, maxLength: 3 },
            d: { type: "array", items: { type: "integer" } },
            e: text,
          },
          ["e"],
          { additionalProperties: false },
        ),
        { required: true },
      ),
    );
    expect(broken(before, after)).toEqual([
      "POST /a body is now required",
      "POST /a a is gone",
      "POST /a b no longer takes y",
      "POST /a c has a lower maxLength: 3 after Infinity",
      "POST /a d[] no longer takes string",
      "POST /a e is now required",
    ]);
  });

  it("finds parameters that are gone or newly required, and another scope", () => {
    const parameter = (name: string, required: boolean) => ({ in: "query", name, required, schema: text });
    const before = { ...answers(text), parameters: [parameter("a", false), parameter("b", false)], "x-scope": "read" };
    const after = { ...answers(text), parameters: [parameter("b", true)], "x-scope": "admin" };
    expect(broken(api(before), api(after))).toEqual([
      "POST /a scope asks for the scope admin instead of read",
      "POST /a b is now required",
      "POST /a a is no longer a parameter",
    ]);
  });

  it("follows references, also of schemas that hold themselves", () => {
    const node = (more: object) => ({
      schemas: { Node: object({ next: { $ref: "#/components/schemas/Node" }, ...more }) },
    });
    const one = answers({ $ref: "#/components/schemas/Node" });
    expect(broken(api(one, node({ a: text })), api(one, node({ a: text, b: text })))).toEqual([]);
    expect(broken(api(one, node({ a: text })), api(one, node({})))).toEqual(["POST /a a is gone"]);
  });

  it("lets new calls, optional members and errors be", () => {
    const before = api(asks(object({ a: text }, ["a"])));
    const operation = asks(object({ a: text, b: text }, ["a"]));
    const after = api({ ...operation, responses: { ...operation.responses, 429: {} } });
    expect(broken(before, { ...after, paths: { ...after.paths, "/b": { get: answers(text) } } })).toEqual([]);
  });
});
