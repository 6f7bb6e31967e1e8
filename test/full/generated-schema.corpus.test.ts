/** Round trip over real invoices: a schema generated from an invoice is at least half filled by the same invoice. */

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { analyzeDocument } from "../../functions/engine/extraction/describe/analyze-document.ts";
import { generateSchema } from "../../functions/engine/extraction/describe/generate-schema.ts";
import { extractOffline } from "../../functions/engine/extraction/rules/extract-offline.ts";
import { readDocument } from "../../functions/engine/readers/read-document.ts";
import { parseSchema } from "../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../functions/ports/json.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; no schema was made of real documents`);

interface Entry {
  path: string;
  facts: { text_layer_chars?: number; language?: string };
}
const manifest: { files: Entry[] } = present
  ? JSON.parse(readFileSync(join(CORPUS, "MANIFEST.json"), "utf8"))
  : { files: [] };
/** With enough text to state anything, unlike a scan's few stray characters. */
const invoices = manifest.files.filter(
  ({ path, facts }) => path.startsWith("invoices/") && path.endsWith(".pdf") && (facts.text_layer_chars ?? 0) > 100,
);

const isFilled = (value: Json | undefined): boolean =>
  value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);

describe.skipIf(!present)("generated schemas of real invoices", () => {
  it("have the corpus at hand", () => expect(invoices.length).toBeGreaterThan(10));

  it.each(invoices.map(({ path }) => path))("are at least half filled: %s", async (path) => {
    const bytes = new Uint8Array(readFileSync(join(CORPUS, path)));
    const { layout } = await readDocument(bytes, { mimeType: "application/pdf", ocr: "NONE" });
    const schema = generateSchema(layout) as { properties: Record<string, Json> };
    const names = Object.keys(schema.properties);
    const result = extractOffline(layout, { schema: parseSchema(schema), granularity: "auto" }).result as Record<
      string,
      Json
    >;
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => isFilled(result[name])).length).toBeGreaterThanOrEqual(names.length / 2);
  });

  it.each(invoices.filter(({ facts }) => (facts.text_layer_chars ?? 0) > 500).map(({ path }) => path))(
    "name the document type of %s",
    async (path) => {
      const bytes = new Uint8Array(readFileSync(join(CORPUS, path)));
      const { layout } = await readDocument(bytes, { mimeType: "application/pdf", ocr: "NONE" });
      expect(["invoice", "credit note", "receipt"]).toContain(analyzeDocument(layout).document_type);
    },
  );
});
