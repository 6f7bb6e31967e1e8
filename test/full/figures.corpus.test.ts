/** Every caption in the corpus' manifest belongs to its figure, and the manifest's number of figures is found. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { findFigures } from "../../functions/engine/readers/figures/find-figures.ts";
import { readDocument } from "../../functions/engine/readers/read-document.ts";
import { sniffDocument } from "../../functions/engine/readers/sniff-media-type.ts";
import { FIGURE_LIMITS } from "../../functions/engine/structure/figures/figure.ts";
import { attachCaptions } from "../../functions/engine/structure/figures/figure-captions.ts";
import { AppError } from "../../functions/ports/errors.ts";
import { DOCX, PDF, XLSX } from "../../functions/ports/media-types.ts";
import { cpuSeconds } from "../support/cpu.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; no real figure was looked for`);

interface Entry {
  path: string;
  facts: { figures?: number; captions?: string[] };
}
const manifest: { files: Entry[] } = present
  ? JSON.parse(readFileSync(join(CORPUS, "MANIFEST.json"), "utf8"))
  : { files: [] };
const counted = manifest.files.filter(({ facts }) => facts.figures !== undefined);
const captioned = manifest.files.filter(({ facts }) => (facts.captions?.length ?? 0) > 0);
const all = manifest.files.filter(({ path }) => /\.(?:pdf|docx|xlsx|pptx)$/.test(path));

const TYPES: Record<string, string> = { pdf: PDF, docx: DOCX, xlsx: XLSX };
const load = (path: string): Uint8Array => new Uint8Array(readFileSync(join(CORPUS, path)));

describe.skipIf(!present)("figures of real documents", () => {
  it("have the corpus at hand", () => expect(captioned.length).toBeGreaterThan(1));

  it.each(counted.map(({ path, facts }) => [path, facts.figures] as const))(
    "are found in %s: %i",
    async (path, count) => {
      const bytes = load(path);
      const figures = await findFigures(bytes, sniffDocument(bytes, undefined, path).mimeType);
      expect(figures).toHaveLength(count ?? 0);
      for (const { bytes: image, width, height } of figures)
        expect(await sharp(image).metadata()).toMatchObject({ width, height });
    },
  );

  it.each(captioned.map(({ path, facts }) => [path, facts.captions ?? []] as const))(
    "have the captions of %s",
    async (path, captions) => {
      const bytes = load(path);
      const { mimeType } = sniffDocument(bytes, undefined, path);
      const { layout } = await readDocument(bytes, { mimeType });
      const figures = attachCaptions(await findFigures(bytes, mimeType), layout);
      expect(figures.map(({ caption }) => caption)).toEqual(captions);
    },
  );

  it.each(all.map(({ path }) => path))("keep the limits and ten seconds: %s", async (path) => {
    const start = process.cpuUsage();
    try {
      const figures = await findFigures(load(path), TYPES[path.split(".").at(-1) ?? ""] ?? PDF);
      expect(figures.length).toBeLessThanOrEqual(FIGURE_LIMITS.figures);
      expect(new Set(figures.map(({ id }) => id)).size).toBe(figures.length);
    } catch (error) {
      expect(error, String(error)).toBeInstanceOf(AppError);
    }
    expect(cpuSeconds(start)).toBeLessThan(10);
  });
});
