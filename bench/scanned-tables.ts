/**
 * Detection of tables on pictures: the cells of PDFs' tables, from text layers and vector lines, compared with those
 * found on the same pages drawn at 200 dpi, clean and degraded like a poor scan. The yardstick is the same recognition
 * without ruling lines. `npm run bench -- scanned-tables [--pages N] [--corpus DIR]`.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { similarity } from "../client/eval/values.ts";
import { systemClock } from "../functions/adapters/local/clock.ts";
import { openLocalOcr } from "../functions/adapters/local/ocr/local-ocr.ts";
import { lineText } from "../functions/engine/layout/page-words.ts";
import { completeDocument } from "../functions/engine/readers/complete-document.ts";
import { renderPage } from "../functions/engine/readers/pdf/render-page.ts";
import { readDocument } from "../functions/engine/readers/read-document.ts";
import type { Box, Page } from "../functions/ports/layout.ts";
import { PDF } from "../functions/ports/media-types.ts";
import type { OcrEngine, OcrFrame, OcrPage } from "../functions/ports/ocr.ts";
import { CLEAN_DPI, degradeLikeScan, toUpright } from "./ocr/pages.ts";
import { canMeasure, corpusFolder, textPdfs } from "./support/corpus.ts";
import { atLeast, requireAll } from "./support/holds.ts";

/** Pages with fewer filled cells are left out; at most PAGES_EACH pages of a document. */
const MIN_PAGE_CELLS = 6;
const MAX_PAGES_PER_DOCUMENT = 2;
/** A cell is right when its letters and digits are this similar, and its centre is this near in inches. */
const MIN_TEXT_SIMILARITY = 0.8;
const MAX_CENTRE_DISTANCE_INCHES = 0.25;
const MIN_RECALL = 0.75;
const MIN_PRECISION = 0.8;

interface Cell {
  text: string;
  x: number;
  y: number;
}

const foldText = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();

const centreOf = ({ left, top, right, bottom }: Box) => ({ x: (left + right) / 2, y: (top + bottom) / 2 });

/** Cells with letters or digits, placed by their text, since cells may be merged or open. */
function cellsOf({ blocks }: Page): Cell[] {
  const tables = blocks.filter((block) => block.kind === "table");
  return tables.flatMap(({ cells }) =>
    cells.flatMap(({ lines, box }) => {
      const text = foldText(lines.map(lineText).join(" "));
      return text === "" ? [] : [{ text, ...centreOf(lines[0]?.box ?? box) }];
    }),
  );
}

/** Counts the cells that are found, each once. */
function countFound(wanted: readonly Cell[], found: readonly Cell[]): number {
  const left = new Set(found);
  return wanted.filter(({ text, x, y }) => {
    const same = [...left].find(
      (one) =>
        Math.abs(one.x - x) <= MAX_CENTRE_DISTANCE_INCHES &&
        Math.abs(one.y - y) <= MAX_CENTRE_DISTANCE_INCHES &&
        similarity(one.text, text) >= MIN_TEXT_SIMILARITY,
    );
    return same !== undefined && left.delete(same);
  }).length;
}

class TableScore {
  #wanted = 0;
  #found = 0;
  #right = 0;

  add(wanted: readonly Cell[], found: readonly Cell[]): void {
    this.#wanted += wanted.length;
    this.#found += found.length;
    this.#right += countFound(wanted, found);
  }

  get recall(): number {
    return this.#right / Math.max(this.#wanted, 1);
  }

  get precision(): number {
    return this.#right / Math.max(this.#found, 1);
  }

  get f1(): number {
    const sum = this.recall + this.precision;
    return sum === 0 ? 0 : (2 * this.recall * this.precision) / sum;
  }
}

/** The page of a picture, with its tables. */
async function finishPage(picture: Uint8Array, recognised: OcrPage): Promise<Page | undefined> {
  const mimeType = "image/png";
  const reading = await readDocument(picture, { mimeType, mayBeEmpty: true });
  const { layout } = completeDocument(reading, {
    pages: [recognised],
    engine: "bench",
    level: "DEFAULT",
    ocr: "DEFAULT",
    unread: [],
    mayBeEmpty: true,
  });
  return layout.pages[0];
}

async function recognise(ocr: OcrEngine, bytes: Uint8Array, frame: OcrFrame): Promise<OcrPage> {
  const deadline = systemClock().now() + 300_000;
  return (await ocr.recognize({ bytes, pageNumber: 1, frame }, "DEFAULT", { deadline })).page;
}

interface Sample {
  name: string;
  cells: Cell[];
  /** PNG. */
  picture: Uint8Array;
  frame: OcrFrame;
}

async function* samples(corpus: string): AsyncGenerator<Sample> {
  for (const file of await textPdfs(corpus)) {
    const bytes = new Uint8Array(await readFile(file));
    const { layout } = await readDocument(bytes, { mimeType: PDF, ocr: "NONE", mayBeEmpty: true });
    const tabled = layout.pages
      .filter((page) => cellsOf(page).length >= MIN_PAGE_CELLS)
      .slice(0, MAX_PAGES_PER_DOCUMENT);
    for (const page of tabled) {
      const { width, height, rgba } = await renderPage(bytes, page.number - 1, CLEAN_DPI);
      const raw = sharp(rgba, { raw: { width, height, channels: 4 } }).removeAlpha();
      yield {
        name: `${path.basename(file)} p${page.number}`,
        cells: cellsOf(page),
        picture: new Uint8Array(await raw.png().toBuffer()),
        frame: { width: page.width, height: page.height },
      };
    }
  }
}

const KINDS = ["clean", "scanned"] as const;

/** Reads a sample's picture twice. @returns the cells with and without ruling lines */
async function readBoth(ocr: OcrEngine, { picture, frame }: Sample, kind: (typeof KINDS)[number]) {
  const bytes = kind === "clean" ? picture : await degradeLikeScan(picture);
  const { drawn, ...plain } = await recognise(ocr, bytes, frame);
  const upright = (cells: Cell[]): Cell[] =>
    kind === "clean" ? cells : cells.map((cell) => ({ ...cell, ...toUpright(cell.x, cell.y, frame) }));
  const [ours, theirs] = [
    await finishPage(picture, drawn === undefined ? plain : { ...plain, drawn }),
    await finishPage(picture, plain),
  ];
  return { ours: upright(ours ? cellsOf(ours) : []), theirs: upright(theirs ? cellsOf(theirs) : []) };
}

/** Prints the table; without the corpus only a message. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus)) return;
  const at = args.indexOf("--pages");
  const most = at < 0 ? Infinity : Number(args[at + 1]);
  const ocr = openLocalOcr({
    clock: systemClock(),
    jobTimeoutSeconds: 300,
    langs: ["eng"],
    engine: "embedded",
    size: 1,
  });
  const scores = {
    clean: [new TableScore(), new TableScore()],
    scanned: [new TableScore(), new TableScore()],
  } as const;
  let pages = 0;
  console.log(`${"page".padEnd(44)}cells   clean: recall precision   scanned: recall precision`);
  for await (const sample of samples(corpus)) {
    if (pages === most) break;
    pages += 1;
    const line = [sample.name.padEnd(44), String(sample.cells.length).padStart(5)];
    for (const kind of KINDS) {
      const { ours, theirs } = await readBoth(ocr, sample, kind);
      const own = new TableScore();
      own.add(sample.cells, ours);
      line.push(`   ${own.recall.toFixed(2).padStart(12)} ${own.precision.toFixed(2).padStart(9)}`);
      scores[kind][0].add(sample.cells, ours);
      scores[kind][1].add(sample.cells, theirs);
    }
    console.log(line.join(""));
  }
  await ocr.close();
  console.log(`\n${pages} pages${"".padEnd(30)}recall     precision  F1`);
  for (const kind of KINDS) {
    for (const [index, name] of ["by lines and words", "by words alone"].entries()) {
      const { recall, precision, f1 } = scores[kind][index] ?? new TableScore();
      const figures = [recall, precision, f1].map((value) => value.toFixed(3).padEnd(11)).join("");
      console.log(`${`${kind}, ${name}`.padEnd(37)}${figures}`);
    }
    console.log(`${kind}: F1 ${(scores[kind][0].f1 / scores[kind][1].f1).toFixed(2)} times the yardstick's`);
  }
  requireAll(
    KINDS.flatMap((kind) => [
      atLeast(`recall of cells, ${kind}`, scores[kind][0].recall, MIN_RECALL),
      atLeast(`precision of cells, ${kind}`, scores[kind][0].precision, MIN_PRECISION),
    ]),
  );
}
