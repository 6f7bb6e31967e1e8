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
import { isNarrow, repeatUntilNarrow, type Spread, sayFigure, sayLoad, spreadOf } from "./support/repeat.ts";
import { timeWork } from "./text/times.ts";

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

/** Widest interval that is told, as a share of its median. */
const MAX_WIDTH = 0.1;
/** Minutes of rounds over all documents. */
const MOST_MINUTES = 4;
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

interface Measure {
  file: string;
  pages: number;
  expected: number;
  ours: { decoded: number; payloads: number; work: () => Promise<unknown>; times: number[] };
  theirs: { decoded: number; work: () => Promise<unknown>; times: number[] };
}

/** Reads a document's barcodes once by both, and prepares what is timed. */
async function open(corpus: string, entry: Entry): Promise<Measure> {
  const bytes = new Uint8Array(await readFile(path.join(corpus, entry.path)));
  const { mimeType } = sniffDocument(bytes, undefined, entry.path);
  const expected = entry.facts.barcodes ?? [];
  // Ours first: it starts the engine, which the bare calls then use.
  const work = (): Promise<Barcode[]> => readBarcodes(bytes, mimeType);
  const found = await work();
  const pictures = await pixelsOf(bytes, mimeType);
  const bare = async () =>
    (await Promise.all(pictures.map((picture) => scan({ ...picture, colorSpace: "srgb" })))).flat();
  return {
    file: path.basename(entry.path),
    pages: pictures.length,
    expected: expected.length,
    ours: {
      decoded: countOf(found, expected),
      payloads: found.filter(({ payload }) => payload !== undefined).length,
      work,
      times: [],
    },
    theirs: { decoded: countOf(await bare(), expected), work: bare, times: [] },
  };
}

/** Times every document in rounds, each by both before the next, so that other load meets both. */
function timeAll(measures: readonly Measure[]) {
  return repeatUntilNarrow(
    async () => {
      const sums = { ours: { wall: 0, cpu: 0 }, theirs: { wall: 0, cpu: 0 } };
      for (const measure of measures) {
        for (const side of ["ours", "theirs"] as const) {
          const [, { wall, cpu }] = await timeWork(measure[side].work);
          measure[side].times.push(wall / measure.pages);
          sums[side].wall += wall;
          sums[side].cpu += cpu;
        }
      }
      return { wall: sums.ours.wall / sums.theirs.wall, cpu: sums.ours.cpu / sums.theirs.cpu };
    },
    { narrow: ["cpu"], width: MAX_WIDTH, mostMs: MOST_MINUTES * 60_000 },
  );
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
    if ((entry.facts.barcodes?.length ?? 0) > 0) measures.push(await open(corpus, entry));
  }
  const repeated = await timeAll(measures);
  console.log(
    "Barcodes: drawing, reading, merging and payloads, beside the bare library on pixels that are there already\n",
  );
  console.log(tableCells("", "pages", "barcodes", "decoded", "payloads", "ms/page", "bare: dec.", "ms/page"));
  for (const { file, pages, expected, ours, theirs } of measures) {
    const [own, bare] = [ours, theirs].map(({ times }) => spreadOf(times).median.toFixed(0)) as [string, string];
    console.log(tableCells(file, pages, expected, ours.decoded, ours.payloads, own, theirs.decoded, bare));
  }
  const sum = (pick: (one: Measure) => number): number => measures.reduce((total, one) => total + pick(one), 0);
  const { cpu, wall } = repeated.spreads;
  console.log(
    `\ndecoded ${sum((one) => one.ours.decoded)} of ${sum((one) => one.expected)}, bare ${sum((one) => one.theirs.decoded)}`,
  );
  const say = (spread: Spread): string => sayFigure(spread, isNarrow(spread, MAX_WIDTH));
  console.log(`times the bare library: processor time ${say(cpu)}, by the clock ${say(wall)}; ${sayLoad(repeated)}`);
}
