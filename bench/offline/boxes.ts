/**
 * Checks that the box of a found value contains the value, with independent readers: poppler's words where a page has a
 * text layer (pdfium's own text in the box without poppler), the program tesseract on the cut-out picture of a
 * recognised page (the manifest's truth without tesseract).
 */
import { spawnSync } from "node:child_process";
import sharp from "sharp";
import { pageWords } from "../../functions/engine/layout/page-words.ts";
import type { PageAnchor, SourceLocations } from "../../functions/engine/layout/source-locations.ts";
import { renderPage } from "../../functions/engine/readers/pdf/render-page.ts";
import type { Json } from "../../functions/ports/json.ts";
import type { Box, Layout } from "../../functions/ports/layout.ts";
import { cutText } from "../support/cut-text.ts";
import type { PlacedText } from "../support/match.ts";
import { parseBoxes, popplerBoxes } from "../support/poppler.ts";
import { says } from "./says.ts";

export type JudgeName = "poppler" | "pdfium" | "tesseract" | "the manifest";

export interface BoxScore {
  judged: { judge: JudgeName; right: boolean }[];
  misses: string[];
}

export interface BoxedDocument {
  /** For poppler. */
  file: string;
  bytes: Uint8Array;
  layout: Layout;
  /** Numbers of the recognised pages. */
  recognised: readonly number[];
  /** The manifest's values of all fields. */
  truths: readonly Json[];
}

const isInstalled = (program: string, option: string): boolean => spawnSync(program, [option]).error === undefined;
const hasPoppler = isInstalled("pdftotext", "-v");
const hasTesseract = isInstalled("tesseract", "--version");

/** The words whose centres are in a box. */
const textIn = (words: readonly PlacedText[], box: Box): string =>
  words
    .filter(({ box: { left, top, right, bottom } }) => {
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      return x > box.left && x < box.right && y > box.top && y < box.bottom;
    })
    .map(({ text }) => text)
    .join(" ");

/** Fields with values in percent. */
const RATE_FIELD_PATTERN = /percent|rate/i;

const CUT_OUT_DPI = 300;
/** Margin around a box, since letters slightly exceed theirs. */
const CUT_OUT_MARGIN_INCHES = 0.03;
/** Small cut-outs are enlarged to this height: small type is recognised badly. */
const MIN_CUT_OUT_HEIGHT_PIXELS = 120;
const WHITE_RGB = { r: 255, g: 255, b: 255 };
/** Page segmentation modes of tesseract: one line, one block, one word. */
const TESSERACT_MODES = ["7", "6", "8"];

/** A page as a picture, at its own resolution or the resolution for PDFs. */
async function pictureOf({ bytes }: BoxedDocument, pageNumber: number): Promise<Buffer> {
  const isPdf = Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-";
  if (!isPdf) return await sharp(bytes).rotate().flatten({ background: WHITE_RGB }).png().toBuffer();
  const { rgba, width, height } = await renderPage(bytes, pageNumber - 1, CUT_OUT_DPI);
  return await sharp(rgba, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png()
    .toBuffer();
}

/** The enlarged picture of a box with a white margin. */
async function cutOut(picture: Buffer, pageWidth: number, box: Box): Promise<Buffer> {
  const { width = 1, height = 1 } = await sharp(picture).metadata();
  const dots = width / pageWidth;
  const left = Math.max(0, Math.floor((box.left - CUT_OUT_MARGIN_INCHES) * dots));
  const top = Math.max(0, Math.floor((box.top - CUT_OUT_MARGIN_INCHES) * dots));
  const size = {
    width: Math.min(width - left, Math.ceil((box.right + CUT_OUT_MARGIN_INCHES) * dots) - left),
    height: Math.min(height - top, Math.ceil((box.bottom + CUT_OUT_MARGIN_INCHES) * dots) - top),
  };
  const cut = sharp(picture).extract({ left, top, ...size });
  return await cut
    .resize({ height: Math.max(MIN_CUT_OUT_HEIGHT_PIXELS, size.height) })
    .extend({ top: 30, bottom: 30, left: 30, right: 30, background: WHITE_RGB })
    .png()
    .toBuffer();
}

const tesseract = (picture: Buffer, mode: string): string =>
  spawnSync("tesseract", ["stdin", "stdout", "--psm", mode], { input: picture, encoding: "utf8" }).stdout.trim();

/** Reads the boxes of one document; each page is drawn or read once. */
class BoxReader {
  readonly #document: BoxedDocument;
  readonly #pictures = new Map<number, Promise<Buffer>>();
  #poppler: PlacedText[][] | null = null;

  constructor(document: BoxedDocument) {
    this.#document = document;
  }

  judgeFor(pageNumber: number): JudgeName {
    if (this.#document.recognised.includes(pageNumber)) return hasTesseract ? "tesseract" : "the manifest";
    return hasPoppler ? "poppler" : "pdfium";
  }

  /** The texts that a judge reads in a value's boxes, several when it has several modes. */
  async texts(judge: JudgeName, anchors: readonly PageAnchor[]): Promise<string[]> {
    if (judge === "tesseract") return await this.#cut(anchors);
    const texts = await Promise.all(anchors.map((anchor) => this.#text(judge, anchor)));
    return [texts.join(" ")];
  }

  async #text(judge: JudgeName, { pageNumber, bbox }: PageAnchor): Promise<string> {
    const { file, bytes, layout } = this.#document;
    if (judge === "pdfium") return await cutText(bytes, pageNumber, bbox);
    if (judge === "poppler") {
      this.#poppler ??= parseBoxes(popplerBoxes(file));
      return textIn(this.#poppler[pageNumber - 1] ?? [], bbox);
    }
    return textIn(
      layout.pages.filter(({ number }) => number === pageNumber).flatMap((page) => pageWords(page)),
      bbox,
    );
  }

  async #cut(anchors: readonly PageAnchor[]): Promise<string[]> {
    const pictures = await Promise.all(
      anchors.map(async ({ pageNumber, bbox }) => {
        const page = this.#document.layout.pages.find(({ number }) => number === pageNumber);
        const picture = this.#pictures.get(pageNumber) ?? pictureOf(this.#document, pageNumber);
        this.#pictures.set(pageNumber, picture);
        return await cutOut(await picture, page?.width ?? 1, bbox);
      }),
    );
    return TESSERACT_MODES.map((mode) => pictures.map((picture) => tesseract(picture, mode)).join(" "));
  }
}

const valueAt = (result: Json, pointer: string): Json | undefined =>
  pointer
    .split("/")
    .slice(1)
    .reduce<Json | undefined>((at, step) => (at as Record<string, Json> | null | undefined)?.[step], result);

/** Judges the boxes of all found values of a document. */
export async function scoreBoxes(
  result: Json,
  { locations }: SourceLocations,
  document: BoxedDocument,
): Promise<BoxScore> {
  const boxes = new BoxReader(document);
  const score: BoxScore = { judged: [], misses: [] };
  for (const [pointer, { pageAnchors }] of Object.entries(locations)) {
    const value = valueAt(result, pointer);
    const [first] = pageAnchors;
    if (value === undefined || value === null || first === undefined) continue;
    const judge = boxes.judgeFor(first.pageNumber);
    const texts = await boxes.texts(judge, pageAnchors);
    // Our own recognition proves a box only together with the known truth.
    const known = judge !== "the manifest" || document.truths.includes(value);
    const right = known && texts.some((text) => says(text, value, RATE_FIELD_PATTERN.test(pointer)));
    score.judged.push({ judge, right });
    if (!right) score.misses.push(`${pointer} ${JSON.stringify(value)} by ${judge}: ${JSON.stringify(texts[0])}`);
  }
  return score;
}
