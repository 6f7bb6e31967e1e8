/**
 * Office documents: our readers compared with the bare `officeparser` on the same bytes, and the share of LibreOffice's
 * words that our readers find.
 */
import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { pageWords } from "../functions/engine/layout/page-words.ts";
import { readOfficeDocument } from "../functions/engine/readers/office/read-office.ts";
import { sniffDocument } from "../functions/engine/readers/sniff-media-type.ts";
import type { Layout } from "../functions/ports/layout.ts";
import { DOCX, PPTX, XLSX } from "../functions/ports/media-types.ts";
import { canMeasure, corpusFolder } from "./support/corpus.ts";
import { isNarrow, repeatUntilNarrow, type Spread, sayFigure, sayLoad, spreadOf } from "./support/repeat.ts";
import { timeWork } from "./text/times.ts";

/** Widest interval that is told, as a share of its median. */
const MAX_WIDTH = 0.1;
/** Minutes of rounds over all documents. */
const MOST_MINUTES = 4;
const MIN_WORD_SHARE = 0.995;
const OFFICE_EXTENSION = /\.(?:do[ct]x|xl[st]x|p[po]tx)$/;
const CORPUS_FOLDERS = ["office-templates", "long", "figures-barcodes"];
/** The format to which LibreOffice converts a document, by the first letter of its kind. */
const CONVERSION_BY_KIND: Readonly<Record<string, { to: string; made: RegExp }>> = {
  d: { to: "txt:Text (encoded):UTF8", made: /\.txt$/ },
  // Every sheet in its own file, with cells as displayed.
  x: { to: "csv:Text - txt - csv (StarCalc):32,34,76,1,,0,false,true,false,false,false,-1", made: /\.csv$/ },
  p: { to: "pdf", made: /\.pdf$/ },
};
const CONVERSION_TIMEOUT_MS = 180_000;

type Parse = (bytes: Buffer, options: { fileType: string }) => Promise<unknown>;

/** The yardstick, if it is installed. */
async function loadOfficeParser(): Promise<Parse | undefined> {
  const name = "officeparser";
  try {
    const { OfficeParser } = (await import(name)) as { OfficeParser: { parseOffice: Parse } };
    return (bytes, options) => OfficeParser.parseOffice(bytes, options);
  } catch {
    console.warn("NOT MEASURED: officeparser is not installed");
    return undefined;
  }
}

/** A document with the works that are timed on it: ours, and the yardstick's where it is installed. */
interface Timed {
  ours: () => unknown;
  theirs: (() => unknown) | undefined;
  /** Milliseconds of each round. */
  times: { ours: number[]; theirs: number[] };
}

/** Times every document in rounds, each by both before the next, so that other load meets both. */
function timeAll(documents: readonly Timed[]) {
  return repeatUntilNarrow(
    async () => {
      const sums = { wall: { ours: 0, theirs: 0 }, cpu: { ours: 0, theirs: 0 } };
      for (const { ours, theirs, times } of documents) {
        for (const [side, work] of [
          ["ours", ours],
          ["theirs", theirs],
        ] as const) {
          if (work === undefined) continue;
          const [, use] = await timeWork(async () => work());
          times[side].push(use.wall);
          sums.wall[side] += use.wall;
          sums.cpu[side] += use.cpu;
        }
      }
      const compares = documents.some(({ theirs }) => theirs !== undefined);
      return {
        ours: sums.wall.ours,
        ourCpu: sums.cpu.ours,
        // 1 where there is nothing to compare with.
        wall: compares ? sums.wall.theirs / sums.wall.ours : 1,
        cpu: compares ? sums.cpu.theirs / sums.cpu.ours : 1,
      };
    },
    { narrow: ["cpu"], width: MAX_WIDTH, mostMs: MOST_MINUTES * 60_000 },
  );
}

const medianOf = (times: readonly number[]): Spread["median"] | undefined =>
  times.length === 0 ? undefined : spreadOf(times).median;

const KIND_BY_MIME_TYPE: Readonly<Record<string, "docx" | "xlsx" | "pptx">> = {
  [DOCX]: "docx",
  [XLSX]: "xlsx",
  [PPTX]: "pptx",
};

const allWords = ({ pages }: Layout): string[] => pages.flatMap((page) => pageWords(page).map((word) => word.text));

const wordsOf = (text: string): string[] =>
  text
    .normalize("NFKC")
    .split(/\s+/)
    .filter((word) => word !== "");

/** Converts the files of one kind in one run of LibreOffice. @returns the text of each by file name */
async function convertFiles(files: readonly string[], kind: string, folder: string): Promise<Map<string, string>> {
  const { to, made } = CONVERSION_BY_KIND[kind] ?? { to: "pdf", made: /\.pdf$/ };
  const [from, out] = [path.join(folder, `${kind}-in`), path.join(folder, `${kind}-out`)];
  await mkdir(from, { recursive: true });
  const copies = files.map((_, index) => path.join(from, `${index}${path.extname(files[index] ?? "")}`));
  for (const [index, copy] of copies.entries()) await cp(files[index] ?? "", copy);
  const profile = `-env:UserInstallation=${pathToFileURL(path.join(folder, "profile")).href}`;
  spawnSync("soffice", [profile, "--headless", "--convert-to", to, "--outdir", out, ...copies], {
    timeout: CONVERSION_TIMEOUT_MS,
  });
  const texts = new Map<string, string>();
  for (const name of (await readdir(out).catch(() => [])).filter((one) => made.test(one)).sort()) {
    const file = files[Number.parseInt(name, 10)] ?? "";
    const full = path.join(out, name);
    const text =
      kind === "p" ? spawnSync("pdftotext", [full, "-"], { encoding: "utf8" }).stdout : await readFile(full, "utf8");
    // Removes the quoting of CSV.
    texts.set(file, `${texts.get(file) ?? ""}\n${kind === "x" ? text.replaceAll('"', "") : text}`);
  }
  return texts;
}

/** LibreOffice's text of each file; none when it is not installed. */
async function judgeTexts(files: readonly string[]): Promise<Map<string, string>> {
  if (spawnSync("soffice", ["--version"]).error !== undefined) {
    console.warn("NOT MEASURED: LibreOffice (soffice) is not installed; completeness is unknown");
    return new Map();
  }
  const folder = await mkdtemp(path.join(tmpdir(), "office-bench-"));
  try {
    const texts = new Map<string, string>();
    for (const kind of ["d", "x", "p"]) {
      const own = files.filter((file) => path.extname(file)[1] === kind);
      for (const [file, text] of await convertFiles(own, kind, folder)) texts.set(file, text);
    }
    return texts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Counts their words that are among ours, each of ours once. @returns also the missing ones */
function compareWords(ours: readonly string[], theirs: readonly string[]): { found: number; missing: string[] } {
  const counts = new Map<string, number>();
  for (const word of wordsOf(ours.join(" "))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const missing = theirs.filter((word) => {
    const left = counts.get(word) ?? 0;
    counts.set(word, left - 1);
    return left <= 0;
  });
  return { found: theirs.length - missing.length, missing };
}

const tableCell = (value: number | undefined, digits: number): string =>
  (value === undefined ? "–" : value.toFixed(digits)).padStart(9);

/** Reads the documents once, and prepares what is timed. */
async function openDocuments(files: readonly string[], parse: Parse | undefined) {
  const documents: (Timed & { file: string; layout: Layout })[] = [];
  for (const file of files) {
    const bytes = await readFile(file);
    const kind = KIND_BY_MIME_TYPE[sniffDocument(bytes, undefined, file).mimeType];
    if (kind === undefined) continue;
    documents.push({
      file,
      layout: readOfficeDocument(bytes, kind),
      ours: () => readOfficeDocument(bytes, kind),
      theirs: parse && (() => parse(bytes, { fileType: kind })),
      times: { ours: [], theirs: [] },
    });
  }
  return documents;
}

/** `npm run bench -- office [--corpus DIR] [--missing]` */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus)) return;
  const lists = await Promise.all(
    CORPUS_FOLDERS.map(async (folder) =>
      (await readdir(path.join(corpus, folder))).map((name) => path.join(corpus, folder, name)),
    ),
  );
  const files = lists.flat().filter((file) => OFFICE_EXTENSION.test(file));
  const parse = await loadOfficeParser();
  const judged = await judgeTexts(files);
  const documents = await openDocuments(files, parse);
  const repeated = await timeAll(documents);
  const sums = { found: 0, words: 0 };
  console.info(
    `${"document".padEnd(44)}${["ours ms", "bare ms", "words", "found"].map((head) => head.padStart(9)).join("")}`,
  );
  for (const { file, layout, times } of documents) {
    const words = wordsOf(judged.get(file) ?? "");
    const { found, missing } = compareWords(allWords(layout), words);
    sums.found += found;
    sums.words += words.length;
    const share = words.length === 0 ? undefined : found / words.length;
    console.info(
      `${path.basename(file).slice(0, 43).padEnd(44)}${tableCell(medianOf(times.ours), 1)}${tableCell(medianOf(times.theirs), 1)}${tableCell(words.length, 0)}${tableCell(share, 4)}`,
    );
    if (args.includes("--missing") && missing.length > 0) console.info(`  missing: ${missing.slice(0, 40).join(" ")}`);
  }
  const { ours, ourCpu, cpu, wall } = repeated.spreads;
  const say = (spread: Spread, digits = 2): string => sayFigure(spread, isNarrow(spread, MAX_WIDTH), digits);
  console.info(`\nours, all: ${say(ours, 0)} ms, processor time ${say(ourCpu, 0)} ms`);
  if (parse !== undefined) {
    console.info(`bare officeparser, ours = 1: processor time ${say(cpu)}, by the clock ${say(wall)}`);
  }
  console.info(sayLoad(repeated));
  if (sums.words > 0) {
    const share = sums.found / sums.words;
    console.info(
      `words of LibreOffice found: ${share.toFixed(4)} of ${sums.words} (goal ${MIN_WORD_SHARE}: ${share >= MIN_WORD_SHARE ? "met" : "MISSED"})`,
    );
  }
}
