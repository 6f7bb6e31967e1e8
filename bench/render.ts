/**
 * Speed of rendering PDF pages as PNG files at 150 dpi, compared with poppler's `pdftoppm -r 150 -png` on the same
 * pages in the same run, and the difference of the pictures. `npm run bench -- render [--corpus DIR] [--pages N]`: at
 * most N pages per document.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import sharp from "sharp";
import { withPdf } from "../functions/engine/readers/pdf/pdf-document.ts";
import { renderPagePng } from "../functions/engine/readers/pdf/render-page.ts";
import { canMeasure, corpusFolder, textPdfs } from "./support/corpus.ts";
import { type Repeated, repeatUntilNarrow, sayFigure, sayLoad } from "./support/repeat.ts";

const RENDER_DPI = 150;
/** Pictures are compared at this resolution: letters blur, words stay. */
const COMPARED_DPI = 15;
/** Pages with a higher mean difference, of 255, are named. Fonts missing from a file explain some. */
const NOTABLE_DIFFERENCE = 8;

interface Measured {
  file: string;
  pages: number;
  /** In milliseconds. */
  ours: number;
  poppler: number;
  /** Mean difference of each page, 0 to 255. */
  differences: number[];
}

/** Poppler's pages as PNG files, with the milliseconds of its process. */
async function drawWithPoppler(file: string, pages: number): Promise<{ images: Uint8Array[]; elapsed: number }> {
  const folder = mkdtempSync(path.join(tmpdir(), "sheaf-bench-"));
  try {
    const start = performance.now();
    const wanted = ["-r", String(RENDER_DPI), "-png", "-cropbox", "-f", "1", "-l", String(pages), "-q"];
    const { error } = spawnSync("pdftoppm", [...wanted, file, path.join(folder, "page")]);
    if (error !== undefined) throw error;
    const elapsed = performance.now() - start;
    const images: Uint8Array[] = [];
    for (const name of readdirSync(folder).sort()) images.push(await readFile(path.join(folder, name)));
    return { images, elapsed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function shrink(png: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  return sharp(png)
    .flatten({ background: "white" })
    .removeAlpha()
    .resize(width, height, { fit: "fill" })
    .raw()
    .toBuffer();
}

async function difference(ours: Uint8Array, theirs: Uint8Array): Promise<number> {
  const { width, height } = await sharp(theirs).metadata();
  const size = [
    Math.max(Math.round((width * COMPARED_DPI) / RENDER_DPI), 1),
    Math.max(Math.round((height * COMPARED_DPI) / RENDER_DPI), 1),
  ] as const;
  const [a, b] = [await shrink(ours, ...size), await shrink(theirs, ...size)];
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;
}

async function measure(file: string, most: number, compares: boolean): Promise<Measured> {
  const bytes = new Uint8Array(await readFile(file));
  const pages = Math.min(await withPdf(bytes, ({ pageCount }) => pageCount), most);
  const { images, elapsed } = await drawWithPoppler(file, pages);
  const measured: Measured = { file: path.basename(file), pages, ours: 0, poppler: elapsed, differences: [] };
  for (let index = 0; index < pages; index += 1) {
    const start = performance.now();
    const png = await renderPagePng(bytes, index, RENDER_DPI);
    measured.ours += performance.now() - start;
    const theirs = images[index];
    if (compares && theirs !== undefined) measured.differences.push(await difference(png, theirs));
  }
  return measured;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);

const sumOf = (measured: readonly Measured[], what: "pages" | "ours" | "poppler"): number =>
  measured.reduce((total, one) => total + one[what], 0);

function print(measured: readonly Measured[], repeated: Repeated<"ours" | "poppler" | "ratio">): void {
  const pages = sumOf(measured, "pages");
  const { ours, poppler, ratio } = repeated.spreads;
  const speed = (milliseconds: number): string =>
    `${((1000 * pages) / milliseconds).toFixed(1)} pages/s, ${(milliseconds / pages).toFixed(0)} ms a page`;
  const differences = measured.flatMap((one) => one.differences);
  console.log(`${measured.length} documents, ${pages} pages at ${RENDER_DPI} dpi, PNG`);
  console.log(`  ${sayLoad(repeated)}`);
  console.log(`  pdftoppm, a process a file   ${speed(poppler.median)}`);
  console.log(`  renderPagePng                ${speed(ours.median)}`);
  console.log(`  times poppler's speed        ${sayFigure(ratio, repeated.isNarrow)}`);
  console.log(
    `  mean difference              ${mean(differences).toFixed(2)} of 255 at ${COMPARED_DPI} dpi ` +
      `(the most on a page ${Math.max(...differences).toFixed(1)}); ${pages - differences.length} pages not compared`,
  );
  const notable = measured.filter((one) => Math.max(...one.differences) > NOTABLE_DIFFERENCE);
  for (const { file, differences: own } of notable)
    console.log(`  differs: ${file} by ${own.map((value) => value.toFixed(1)).join(", ")}`);
}

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus, "pdftoppm")) return;
  const at = args.indexOf("--pages");
  const most = at >= 0 ? Math.max(Number(args[at + 1]), 1) : 3;
  const files = await textPdfs(corpus);
  let first: Measured[] | undefined;
  const repeated = await repeatUntilNarrow(
    async () => {
      const measured: Measured[] = [];
      for (const file of files) measured.push(await measure(file, most, first === undefined));
      first ??= measured;
      const [ours, poppler] = [sumOf(measured, "ours"), sumOf(measured, "poppler")];
      return { ours, poppler, ratio: poppler / ours };
    },
    { narrow: ["ratio"] },
  );
  print(first ?? [], repeated);
}
