import { describe, expect, it } from "vitest";
import { rowsFound } from "../../../bench/completeness/compare-rows.ts";
import { DRAWN_SHAPES, drawShape } from "../../../bench/completeness/drawn-shapes.ts";
import { extractOffline } from "../../../functions/engine/extraction/rules/extract-offline.ts";
import { readDocument } from "../../../functions/engine/readers/read-document.ts";
import { parseSchema } from "../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../functions/ports/json.ts";

const ROWS = 4;
/** Numbers that stand on the last line of their row's words: the reader takes the words for the row's before. */
const NOT_READ = new Set(["wrapped"]);

describe("extractOffline, on drawn shapes", () => {
  it.each(DRAWN_SHAPES.filter((name) => !NOT_READ.has(name)))(
    "reads all rows of a list that is %s, and no other",
    async (name) => {
      const { bytes, mimeType, schema, truth } = await drawShape(name, ROWS, ROWS * 7);
      const { layout } = await readDocument(bytes, { mimeType, mayBeEmpty: true });
      const { lines } = extractOffline(layout, { schema: parseSchema(schema), granularity: "word" }).result as {
        lines: Json[];
      };
      expect(
        rowsFound(
          (truth.lines ?? []).map(({ row }) => row as Json),
          lines,
        ).size,
      ).toBe(ROWS);
      expect(lines).toHaveLength(ROWS);
    },
  );
});
