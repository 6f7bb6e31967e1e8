/** Every barcode in the corpus' manifest is read, with its text. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readBarcodes } from "../../functions/engine/readers/barcodes/read-barcodes.ts";
import { sniffDocument } from "../../functions/engine/readers/sniff-media-type.ts";
import { AppError } from "../../functions/ports/errors.ts";
import { cpuSeconds } from "../support/cpu.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; no real barcode was read`);

interface Entry {
  path: string;
  facts: { barcodes?: { format: string; text: string }[]; expected?: { iban?: string } };
}
const manifest: { files: Entry[] } = present
  ? JSON.parse(readFileSync(join(CORPUS, "MANIFEST.json"), "utf8"))
  : { files: [] };
const withBarcodes = manifest.files.filter(({ facts }) => (facts.barcodes?.length ?? 0) > 0);
const qrBills = manifest.files.filter(
  ({ path, facts }) => path.startsWith("invoices/ch-") && facts.expected?.iban !== undefined,
);
const hostile = manifest.files.filter(({ path }) => /^hostile\/.*\.(?:pdf|png)$/.test(path));

/** The manifest writes line feeds and quotes like a shell: `\"` for `"`. */
const fold = (text: string): string =>
  text
    .replaceAll(/\\(["'])/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();

const load = (path: string): { bytes: Uint8Array; mimeType: string } => {
  const bytes = new Uint8Array(readFileSync(join(CORPUS, path)));
  return { bytes, mimeType: sniffDocument(bytes, undefined, path).mimeType };
};

describe.skipIf(!present)("readBarcodes on real documents", () => {
  it("has the corpus at hand", () => expect(withBarcodes.length).toBeGreaterThan(4));

  it.each(withBarcodes.map((entry) => [entry.path, entry.facts.barcodes ?? []] as const))(
    "reads all of %s",
    async (path, expected) => {
      const { bytes, mimeType } = load(path);
      const found = await readBarcodes(bytes, mimeType);
      const brief = found.map(({ format, text }) => `${format} ${fold(text)}`).sort();
      expect(brief).toEqual(expected.map(({ format, text }) => `${format} ${fold(text)}`).sort());
      for (const { bbox } of found) {
        expect(bbox.right - bbox.left).toBeGreaterThan(0.1);
        expect(bbox.bottom - bbox.top).toBeGreaterThan(0.02);
      }
    },
  );

  it.each(qrBills.map((entry) => [entry.path, entry.facts.expected?.iban] as const))(
    "recognises %s as a payment slip",
    async (path, account) => {
      const { bytes, mimeType } = load(path);
      const payload = (await readBarcodes(bytes, mimeType)).find(
        (one) => one.payload?.type === "swiss-qr-bill",
      )?.payload;
      expect(payload?.fields.iban).toBe(account);
      expect(payload?.faults).toEqual([]);
    },
  );

  it.each(hostile.map(({ path }) => path))("ends within ten seconds on %s, at worst with a sentence", async (path) => {
    const bytes = new Uint8Array(readFileSync(join(CORPUS, path)));
    const start = process.cpuUsage();
    try {
      await readBarcodes(bytes, path.endsWith(".pdf") ? "application/pdf" : "image/png");
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
    }
    expect(cpuSeconds(start)).toBeLessThan(10);
  });
});
