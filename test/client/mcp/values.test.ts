import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { SourceLocations } from "../../../client/index.ts";
import { readInput } from "../../../client/mcp/document-input.ts";
import { LocalFiles } from "../../../client/mcp/local-files.ts";
import { locatedValues, unlocatedValues, valueAt } from "../../../client/mcp/located-values.ts";

const folder = mkdtempSync(join(tmpdir(), "sheaf-mcp-values-"));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ["", { a: 1 }, { a: 1 }],
  ["/a", { a: 1 }, 1],
  ["/a~1b/~0c", { "a/b": { "~c": true } }, true],
  ["/lines/1/amount", { lines: [{ amount: 1 }, { amount: 2 }] }, 2],
  ["/none/of/it", { a: 1 }, null],
  ["/constructor", {}, null],
  ["/a", "text", null],
])("valueAt follows the pointer %s", (pointer, json, value) => {
  expect(valueAt(json, pointer)).toEqual(value);
});

it("a value has its first place, its further ones, and the document that it is of", () => {
  const bbox = { left: 1, top: 2, right: 3, bottom: 4 };
  const anchor = (pageNumber: number) => ({ pageNumber, unit: "inch" as const, bbox, polygons: [] });
  const document = { caseId: 7, documentId: "d", filename: "c.pdf", sourceRefs: [], pageAnchors: [anchor(9)] };
  const place = { resolution: "word" as const, sourceRefs: [], confidence: 0.5 };
  const sources: SourceLocations = {
    version: 1,
    granularity: "auto",
    pages: [],
    locations: {
      "/a": { ...place, pageAnchors: [anchor(1), anchor(2)] },
      "/b": { ...place, pageAnchors: [], document },
    },
    unresolved: [{ pointer: "/c", reason: "not-found" }],
  };
  const result = { a: "x", b: 5, c: null };
  expect(locatedValues(result, sources)).toEqual([
    {
      pointer: "/a",
      value: "x",
      page: 1,
      box: bbox,
      unit: "inch",
      confidence: 0.5,
      furtherPlaces: [{ page: 2, box: bbox, unit: "inch" }],
    },
    {
      pointer: "/b",
      value: 5,
      page: 9,
      box: bbox,
      unit: "inch",
      confidence: 0.5,
      document: { caseId: 7, documentId: "d", filename: "c.pdf" },
    },
  ]);
  expect(unlocatedValues(result, sources)).toEqual([{ pointer: "/c", value: null, reason: "not-found" }]);
});

it("a document is one file of its folder, small enough, or base64 with spaces", async () => {
  mkdirSync(join(folder, "below"));
  writeFileSync(join(folder, "notes.md"), "# A");
  writeFileSync(join(folder, "big.pdf"), new Uint8Array(10_000_001));
  const session = { client: undefined as never, files: await LocalFiles.below([folder]) };
  const read = (input: object) => readInput(session, input);
  expect(await read({ path: "notes.md" })).toMatchObject({ fileName: "notes.md", mimeType: "text/markdown" });
  expect(Buffer.from((await read({ content: "SGVs\nbG8=" })).bytes).toString()).toBe("Hello");
  await expect(read({ path: "big.pdf" })).rejects.toThrow("big.pdf is over 10 MB");
  await expect(read({ path: "below" })).rejects.toThrow("it is not a file");
  await expect(read({ path: "none.pdf" })).rejects.toThrow("there is no such file");
  await expect(read({ path: "a\0b" })).rejects.toThrow("NUL");
  await expect(read({ path: "notes.md", content: "SGVsbG8=" })).rejects.toThrow("Give one document");
});
