/** Real invoices: every leaf is located or unresolved, and a found value's box contains its words. */

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { cutText } from "../../bench/support/cut-text.ts";
import { extractOffline } from "../../functions/engine/extraction/rules/extract-offline.ts";
import { pageWords } from "../../functions/engine/layout/page-words.ts";
import { readDocument } from "../../functions/engine/readers/read-document.ts";
import { parseSchema } from "../../functions/engine/schema/parsed-schema.ts";
import type { Layout } from "../../functions/ports/layout.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; nothing was measured on real documents`);

interface Entry {
  path: string;
  facts: { text_layer_chars?: number };
}
const manifest: { files: Entry[] } = present
  ? JSON.parse(readFileSync(join(CORPUS, "MANIFEST.json"), "utf8"))
  : { files: [] };
const invoices = manifest.files.filter(
  ({ path, facts }) => path.startsWith("invoices/") && path.endsWith(".pdf") && (facts.text_layer_chars ?? 0) > 0,
);

const SCHEMA = {
  type: "object",
  properties: {
    invoice_number: { type: "string" },
    issue_date: { type: "string", format: "date" },
    seller: { type: "string" },
    buyer: { type: "string" },
    net_total: { type: "number" },
    gross_total: { type: "number" },
    lines: {
      type: "array",
      items: { type: "object", properties: { description: { type: "string" }, amount: { type: "number" } } },
    },
  },
};

/** A page's words in reading order, as `p{page}/w{index}` counts them. */
const wordsOf = (layout: Layout, pageNumber: number): string[] =>
  layout.pages.filter((page) => page.number === pageNumber).flatMap((page) => pageWords(page).map((word) => word.text));

const letters = (text: string): string => text.normalize("NFKC").replaceAll(/[^\p{L}\p{N}]/gu, "");

const leavesOf = (value: unknown, pointer = ""): string[] => {
  if (value === null || typeof value !== "object" || Object.keys(value).length === 0) return [pointer];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, `${pointer}/${name}`));
};

describe.skipIf(!present)("source locations on real invoices", () => {
  it("have the corpus at hand", () => expect(invoices.length).toBeGreaterThan(10));

  it.each(invoices.map(({ path }) => path))("cover every leaf of %s", async (path) => {
    const bytes = readFileSync(join(CORPUS, path));
    const { layout } = await readDocument(bytes, { mimeType: "application/pdf" });
    expect(layout.pages.some((page) => pageWords(page).some((word) => word.text !== ""))).toBe(true);
    const { result, sources } = extractOffline(layout, { schema: parseSchema(SCHEMA), granularity: "word" });
    const placed = [...Object.keys(sources.locations), ...sources.unresolved.map(({ pointer }) => pointer)];
    expect(placed.sort()).toEqual(leavesOf(result).sort());
    for (const [pointer, { pageAnchors, sourceRefs }] of Object.entries(sources.locations)) {
      const cuts = await Promise.all(pageAnchors.map(({ pageNumber, bbox }) => cutText(bytes, pageNumber, bbox)));
      const cut = letters(cuts.join(" "));
      for (const reference of sourceRefs) {
        const [, page = "", index = ""] = /^p(\d+)\/w(\d+)$/.exec(reference) ?? [];
        const word = wordsOf(layout, Number(page))[Number(index)];
        expect(word, `${pointer} ${reference}`).toBeDefined();
        expect(cut, `${pointer} of ${path}: its box does not contain its words`).toContain(letters(word ?? ""));
      }
    }
  });
});
