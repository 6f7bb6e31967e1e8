/**
 * The share of a page's ink that looks like text and lies in no recognised word: on the corpus' scans and photos and on
 * drawn pages, as recognised, and with the words of a half of the page taken away, as if recognition had lost it.
 * `npm run bench -- unread-ink [--pages N] [--corpus DIR]`.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { systemClock } from "../functions/adapters/local/clock.ts";
import { openLocalOcr } from "../functions/adapters/local/ocr/local-ocr.ts";
import { textInkOf } from "../functions/engine/imaging/figure-regions/unread-ink.ts";
import { pageWords } from "../functions/engine/layout/page-words.ts";
import { filterBlocks } from "../functions/engine/layout/word-places.ts";
import { USUAL_UNREAD_SHARE } from "../functions/engine/ocr/quality/unread-text.ts";
import { inspectDocument } from "../functions/engine/readers/inspect-document.ts";
import { sniffDocument } from "../functions/engine/readers/sniff-media-type.ts";
import { run as picture } from "../functions/engine/tasks/picture.run.ts";
import type { OcrImage, OcrPage, OcrTextInk } from "../functions/ports/ocr.ts";
import { withViewFindings } from "../functions/service/recognition/recognize-pages.ts";
import { benchPages } from "./ocr/pages.ts";
import { canMeasure, corpusFolder } from "./support/corpus.ts";

const MAX_BYTES = 64 * 2 ** 20;
/** Scans of the corpus, besides drawn pages; pages of each. */
const SCANS_FOLDER = "scans";
const MAX_SCAN_PAGES = 3;
const NAME_WIDTH = 70;
const HALVES = ["whole", "right half lost", "lower half lost"];

interface Named {
  name: string;
  image: OcrImage;
}

const draw = (bytes: Uint8Array, mimeType: string, pageNumber: number): Promise<OcrImage> =>
  picture.run({ bytes, options: { mimeType, pageNumber, level: "DEFAULT", maxBytes: MAX_BYTES } });

async function* images(corpus: string, most: number): AsyncGenerator<Named> {
  const { files } = JSON.parse(await readFile(path.join(corpus, "MANIFEST.json"), "utf8")) as {
    files: { path: string }[];
  };
  for (const { path: file } of files) {
    if (!file.startsWith(`${SCANS_FOLDER}/`)) continue;
    const bytes = new Uint8Array(await readFile(path.join(corpus, file)));
    const { mimeType } = sniffDocument(bytes, undefined, file);
    const { pageCount } = await inspectDocument(bytes, mimeType);
    for (let number = 1; number <= Math.min(pageCount ?? 0, MAX_SCAN_PAGES); number += 1)
      yield { name: `${file} p${number}`, image: await draw(bytes, mimeType, number) };
  }
  for await (const { name, frame, clean, scan } of benchPages(corpus, most)) {
    for (const [kind, bytes] of [
      ["clean", clean],
      ["scan", scan],
    ] as const) {
      const type = kind === "clean" ? "image/png" : "image/jpeg";
      const drawn = await draw(bytes, type, 1);
      yield { name: `${name} ${kind}`, image: { ...drawn, frame: { ...drawn.frame, ...frame } } };
    }
  }
}

/** The page without the words of a half. */
function halved(ocr: OcrPage, half: "right" | "lower"): OcrPage {
  const words = pageWords(ocr.page)
    .map(({ box }) => (half === "right" ? box.left : box.top))
    .sort((a, b) => a - b);
  const middle = words[words.length >> 1] ?? 0;
  const blocks = filterBlocks(ocr.page.blocks, ({ box }) => (half === "right" ? box.left : box.top) < middle);
  return { ...ocr, page: { ...ocr.page, blocks } };
}

const shareOf = (ink: OcrTextInk | undefined): number =>
  ink === undefined || ink.read + ink.unread === 0 ? 0 : ink.unread / (ink.read + ink.unread);

/** Quantiles of sorted shares, and the requirement that both kinds of pages stay apart. */
function report(rows: readonly (readonly number[])[]): void {
  const of = (column: number): number[] => rows.map((row) => row[column] ?? 0).sort((a, b) => a - b);
  const at = (shares: readonly number[], quantile: number): string =>
    (shares[Math.min(Math.floor(shares.length * quantile), shares.length - 1)] ?? 0).toFixed(3);
  for (const [column, name] of HALVES.entries()) {
    const shares = of(column);
    console.log(
      `${name.padEnd(24)}least ${at(shares, 0)}  tenth ${at(shares, 0.1)}  median ${at(shares, 0.5)}  most ${at(shares, 1)}`,
    );
  }
  const told = (column: number): number => rows.filter((row) => (row[column] ?? 0) > USUAL_UNREAD_SHARE).length;
  console.log(
    `above ${USUAL_UNREAD_SHARE}: ${told(0)} whole pages; ${told(1)} and ${told(2)} halved ones, each of ${rows.length}`,
  );
}

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus)) return;
  const at = args.indexOf("--pages");
  const clock = systemClock();
  const ocr = openLocalOcr({ clock, jobTimeoutSeconds: 300, langs: ["eng"], engine: "embedded", size: 1 });
  const rows: number[][] = [];
  const columns = ["cells", "whole", "right", "lower"].map((name) => name.padStart(8)).join("");
  console.log(`${"page".padEnd(NAME_WIDTH)}${columns}`);
  try {
    for await (const { name, image } of images(corpus, at >= 0 ? Number(args[at + 1]) : 10)) {
      const { page } = await ocr.recognize(image, "DEFAULT", { deadline: clock.now() + 300_000 });
      const found = withViewFindings(page, image);
      // Figures are those of the whole page: a part that is lost would else look like one.
      const inks = [found, halved(found, "right"), halved(found, "lower")].map((one) => textInkOf(one, image.ink));
      rows.push(inks.map(shareOf));
      const { read = 0, unread = 0 } = found.textInk ?? {};
      const shown = [read + unread, ...inks.map((ink) => shareOf(ink).toFixed(3))];
      console.log(
        `${name.slice(2 - NAME_WIDTH).padEnd(NAME_WIDTH)}${shown.map((one) => `${one}`.padStart(8)).join("")}`,
      );
    }
  } finally {
    await ocr.close();
  }
  report(rows);
}
