import { describe, expect, it } from "vitest";
import { transcribe } from "../../../../../functions/engine/exports/transcription/transcribe.ts";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseLayout, writeLayout } from "../../../../../functions/engine/layout/layout-file.ts";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import { CSV } from "../../../../../functions/ports/media-types.ts";

const LONG = "a text of so many words that it runs over the sixty columns of a cell on the page";
const CELLS = [
  ["alpha\tbeta", "1", "one"],
  ["gamma", "2", "two\tthree  x"],
  ["=SUM(A1)", "3", "=four"],
  ["-x", "4", "*five*"],
  ["(six)", "5", 'say "q"'],
  [LONG, "6", "a\nb"],
];
const quoted = (field: string): string => (/[\n"]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
const text = [["name", "rank", "note"], ...CELLS].map((row) => row.map(quoted).join(",")).join("\n");

const { layout } = await readDocument(Buffer.from(text), { mimeType: CSV });
const stored = writeLayout(layout);

describe("cells of CSV keep every character", () => {
  it("in JSON lines, after the layout was stored", () => {
    const [block] = transcribe(parseLayout(stored), "jsonl").trim().split("\n");
    const { cells } = JSON.parse(block ?? "");
    const texts = cells.filter(({ row }: { row: number }) => row > 0).map((cell: { text: string }) => cell.text);
    expect(texts).toEqual(CELLS.flat());
  });

  it("in Markdown, where a line break is a tag", () => {
    const markdown = transcribe(parseLayout(stored), "markdown");
    for (const line of ["| alpha\tbeta | 1 | one |", "| =SUM(A1) | 3 | =four |", `| ${LONG} | 6 | a<br>b |`])
      expect(markdown).toContain(line);
  });

  it("in the items of a schema's list", () => {
    const properties = { name: { type: "string" }, rank: { type: "integer" }, note: { type: "string" } };
    const schema = {
      type: "object",
      properties: { rows: { type: "array", items: { type: "object", properties } } },
    };
    const { result } = extractOffline(parseLayout(stored), { schema: parseSchema(schema), granularity: "word" });
    expect(result).toEqual({ rows: CELLS.map(([name, rank, note]) => ({ name, rank: Number(rank), note })) });
  });

  it("in a general result, whose tables are the file's", () => {
    const { result } = extractOffline(parseLayout(stored), { granularity: "word" });
    expect(result).toMatchObject({ key_values: {}, tables: [{ rows: [["name", "rank", "note"], ...CELLS] }] });
  });
});
