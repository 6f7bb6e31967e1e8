/** Barcodes of real documents: our reader's whole work on a page, compared with the bare library on the same pixels. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { readBarcodes as scan } from "zxing-wasm/reader";
import { type Barcode, readBarcodes } from "../functions/engine/readers/barcodes/read-barcodes.ts";
import { withPdf } from "../functions/engine/readers/pdf/pdf-document.ts";
import { renderPage } from "../functions/engine/readers/pdf/render-page.ts";
import { sniffDocument } from "../functions/engine/readers/sniff-media-type.ts";
import { PDF } from "../functions/ports/media-types.ts";
import { canMeasure, corpusFolder } from "./support/corpus.ts";

interface Entry {
  path: string;
  facts: { barcodes?: { format: string; text: string }[] };
}

/** The library's input: the page at 200 dpi, or the image as it is. */
interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

const ROUNDS = 3;
const DPI = 200;

async function pixelsOf(bytes: Uint8Array, mimeType: string): Promise<Pixels[]> {
  if (mimeType !== PDF) {
    const { data, info } = await sharp(bytes)
      .toColourspace("srgb")
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return [{ width: info.width, height: info.height, data: new Uint8ClampedArray(data) }];
  }
  const pages = await withPdf(bytes, ({ pageCount }) => pageCount);
  const pictures: Pixels[] = [];
  for (let index = 0; index < pages; index += 1) {
    const { width, height, rgba } = await renderPage(bytes, index, DPI);
    pictures.push({ width, height, data: new Uint8ClampedArray(rgba) });
  }
  return pictures;
}

const foldText = (text: string): string =>
  text
    .replaceAll(/\\(["'])/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();

const countOf = (
  found: readonly { format: string; text: string }[],
  expected: readonly { format: string; text: string }[],
): number =>
  expected.filter(({ format, text }) =>
    found.some((one) => one.format === format && foldText(one.text) === foldText(text)),
  ).length;

/** The best of some rounds, in milliseconds. */
async function bestTime<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  let best = Number.POSITIVE_INFINITY;
  let result = await work();
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    result = await work();
    best = Math.min(best, performance.now() - start);
  }
  return { result, ms: best };
}

interface Measure {
  file: string;
  pages: number;
  expected: number;
  ours: { decoded: number; payloads: number; ms: number };
  theirs: { decoded: number; ms: number };
}

async function measure(corpus: string, entry: Entry): Promise<Measure> {
  const bytes = new Uint8Array(await readFile(path.join(corpus, entry.path)));
  const { mimeType } = sniffDocument(bytes, undefined, entry.path);
  const expected = entry.facts.barcodes ?? [];
  // Ours first: it starts the engine, which the bare calls then use.
  const ours = await bestTime((): Promise<Barcode[]> => readBarcodes(bytes, mimeType));
  const pictures = await pixelsOf(bytes, mimeType);
  const theirs = await bestTime(async () =>
    (await Promise.all(pictures.map((picture) => scan({ ...picture, colorSpace: "srgb" })))).flat(),
  );
  return {
    file: path.basename(entry.path),
    pages: pictures.length,
    expected: expected.length,
    ours: {
      decoded: countOf(ours.result, expected),
      payloads: ours.result.filter(({ payload }) => payload !== undefined).length,
      ms: ours.ms / pictures.length,
    },
    theirs: { decoded: countOf(theirs.result, expected), ms: theirs.ms / pictures.length },
  };
}

const tableCells = (...values: (string | number)[]): string =>
  values.map((value, index) => (index === 0 ? String(value).padEnd(28) : String(value).padStart(12))).join("");

/** Runs the benchmark and prints it. `--corpus DIR` names the corpus, `../shared/corpus` unless given. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  const list = path.join(corpus, "MANIFEST.json");
  if (!canMeasure(corpus)) return;
  const manifest = JSON.parse(await readFile(list, "utf8")) as { files: Entry[] };
  const measures: Measure[] = [];
  for (const entry of manifest.files) {
    if ((entry.facts.barcodes?.length ?? 0) > 0) measures.push(await measure(corpus, entry));
  }
  console.log(
    "Barcodes: drawing, reading, merging and payloads, beside the bare library on pixels that are there already\n",
  );
  console.log(tableCells("", "pages", "barcodes", "decoded", "payloads", "ms/page", "bare: dec.", "ms/page"));
  for (const { file, pages, expected, ours, theirs } of measures) {
    const [own, bare] = [ours.ms.toFixed(0), theirs.ms.toFixed(0)];
    console.log(tableCells(file, pages, expected, ours.decoded, ours.payloads, own, theirs.decoded, bare));
  }
  const sum = (pick: (one: Measure) => number): number => measures.reduce((total, one) => total + pick(one), 0);
  const [ours, theirs] = [sum((one) => one.ours.ms * one.pages), sum((one) => one.theirs.ms * one.pages)];
  console.log(
    `\ndecoded ${sum((one) => one.ours.decoded)} of ${sum((one) => one.expected)}, bare ${sum((one) => one.theirs.decoded)}; ` +
      `${(ours / Math.max(theirs, 1)).toFixed(2)} times the bare library's time`,
  );
}
