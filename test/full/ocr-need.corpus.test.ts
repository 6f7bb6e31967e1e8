/** Real PDFs: pages of text need no recognition; scans and garbled pages of text do. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { pageWords } from "../../functions/engine/layout/page-words.ts";
import type { TextLayerEvidence } from "../../functions/engine/ocr/quality/page-evidence.ts";
import { judgePage } from "../../functions/engine/ocr/quality/page-quality.ts";
import { needsOcr } from "../../functions/engine/ocr/quality/recognition-needs.ts";
import { withPdf } from "../../functions/engine/readers/pdf/pdf-document.ts";
import { textLayerEvidence } from "../../functions/engine/readers/pdf/pdf-page-evidence.ts";
import { readPdfPage } from "../../functions/engine/readers/pdf/read-pdf-page.ts";
import { SeenInk } from "../../functions/engine/readers/pdf/unread-letters.ts";
import type { Page } from "../../functions/ports/layout.ts";
import { asGlyphNumbers, asPrivateUse, shiftLetters } from "../support/pages.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; no decision was checked on real documents`);

interface Entry {
  path: string;
  facts: { text_layer_chars?: number };
}
const manifest: { files: Entry[] } = present
  ? JSON.parse(readFileSync(join(CORPUS, "MANIFEST.json"), "utf8"))
  : { files: [] };
const pdfs = manifest.files.filter(({ path }) => path.endsWith(".pdf") && !path.startsWith("hostile/"));
/** Scans by the manifest: files without a character of text. */
const isScan = ({ facts }: Entry): boolean => facts.text_layer_chars === 0;
/** The document is a picture, and its text is only the picture's caption. */
const CAPTIONED_PICTURE_FILES = /ch-qr-bill-specimen/;
/** Pages with text inside a picture: labels of a map, a logo with the names of an office, a stamp. */
const TEXT_IN_PICTURE_PAGES =
  /two-captioned-figures.pdf page 2|mi-dhs1426.* page 1$|warn-report.* page 1$|techmart-receipt/;
/** The garbling cannot be recognised in other scripts. */
const OTHER_SCRIPT_FILES = /ukrainian/;
/** Pages with fewer words of letters are left out: tables of numbers have no language. */
const MIN_WORDS = 30;
const WORD_PATTERN = /\p{L}{2}/u;
const MAX_PAGES = 20;

interface Seen {
  path: string;
  page: Page;
  signs: TextLayerEvidence;
}

const readPages = (path: string): Promise<Seen[]> =>
  withPdf(readFileSync(join(CORPUS, path)), ({ pageCount, withPage }) => {
    const seen = new SeenInk();
    return Array.from({ length: pageCount }, (_, index) =>
      withPage(index, (page) => ({ path, page: readPdfPage(page, index + 1), signs: textLayerEvidence(page, seen) })),
    );
  });

const withTexts = (page: Page, change: (text: string) => string): Page => {
  const copy = structuredClone(page);
  for (const word of pageWords(copy)) word.text = change(word.text);
  return copy;
};

const nameOf = ({ path, page }: Seen): string => `${path} page ${page.number}`;

describe.skipIf(!present)("the need for recognition", () => {
  const texts: Seen[] = [];
  const scans: Seen[] = [];
  beforeAll(async () => {
    for (const entry of pdfs) (isScan(entry) ? scans : texts).push(...(await readPages(entry.path)));
  }, 120_000);

  it("excludes pages of text, in every mode that decides it", () => {
    expect(texts.length).toBeGreaterThan(250);
    for (const mode of ["LOW", "DEFAULT", "AUTO"] as const) {
      const needed = texts.filter(({ page, signs }) => needsOcr(page, signs, mode).needed).map(nameOf);
      expect(needed.filter((name) => !CAPTIONED_PICTURE_FILES.test(name) && !TEXT_IN_PICTURE_PAGES.test(name))).toEqual(
        [],
      );
      expect(needed.filter((name) => TEXT_IN_PICTURE_PAGES.test(name))).toHaveLength(4);
    }
    const poor = texts.filter(({ page, signs }) => judgePage({ page, signs, source: "text" }).score < 0.8);
    expect(poor.map(nameOf).filter((name) => !CAPTIONED_PICTURE_FILES.test(name))).toEqual([]);
  });

  it("includes every scan", () => {
    expect(scans.length).toBeGreaterThan(3);
    expect(scans.filter(({ page, signs }) => !needsOcr(page, signs, "DEFAULT").needed).map(nameOf)).toEqual([]);
  });

  it.each<[string, (text: string) => string]>([
    ["shifted by 1", (text) => shiftLetters(text, 1)],
    ["shifted by 4", (text) => shiftLetters(text, 4)],
    ["shifted by 13", (text) => shiftLetters(text, 13)],
    ["glyph numbers", asGlyphNumbers],
    ["private characters", asPrivateUse],
    ["replaced", (text) => text.replaceAll(/\S/gu, "\ufffd")],
  ])("includes every garbled page of text: %s", (_name, change) => {
    const counted = new Map<string, number>();
    const missed = texts.filter(({ path, page, signs }) => {
      const seen = (counted.get(path) ?? 0) + 1;
      counted.set(path, seen);
      const words = pageWords(page).filter(({ text }) => WORD_PATTERN.test(text)).length;
      if (seen > MAX_PAGES || words < MIN_WORDS || OTHER_SCRIPT_FILES.test(path)) return false;
      return !needsOcr(withTexts(page, change), signs, "DEFAULT").needed;
    });
    expect(missed.map(nameOf)).toEqual([]);
  });
});
