/**
 * Words of the corpus's PDFs beside libraries of other projects (PyMuPDF, pypdfium2, pdfplumber, kreuzberg), all in one
 * run: words a second, our speed relative to each, and the share of poppler's words that each finds. The libraries are
 * installed once by pip under node_modules/.cache; one that cannot be installed is left out, loudly.
 * `npm run bench -- peers [--corpus DIR] [--minutes N]`.
 */
import { readFile } from "node:fs/promises";
import { pageWords } from "../functions/engine/layout/page-words.ts";
import { withPdf } from "../functions/engine/readers/pdf/pdf-document.ts";
import { readPdfPage } from "../functions/engine/readers/pdf/read-pdf-page.ts";
import { PEERS, Peer } from "./peers/python-peer.ts";
import { canMeasure, corpusFolder, textPdfs } from "./support/corpus.ts";
import { numberOf } from "./support/options.ts";
import { parseBoxes, popplerBoxes } from "./support/poppler.ts";
import { repeatUntilNarrow, sayFigure, sayLoad } from "./support/repeat.ts";
import { timeWork } from "./text/times.ts";

const DEFAULT_MINUTES = 15;
const OURS = "sheaf";

async function readOurs(file: string) {
  const bytes = new Uint8Array(await readFile(file));
  const [words, use] = await timeWork(() =>
    withPdf(bytes, ({ pageCount, withPage }) =>
      Array.from({ length: pageCount }, (_, index) =>
        withPage(index, (page) => pageWords(readPdfPage(page, index + 1, { tables: false })).map(({ text }) => text)),
      ),
    ),
  );
  return { words: words.flat(), ...use };
}

/** The share of the truth's words that a reader finds, each as often as it is there. */
function recallOf(found: readonly string[], truth: readonly string[]): { found: number; of: number } {
  const left = new Map<string, number>();
  for (const word of found) left.set(word, (left.get(word) ?? 0) + 1);
  let hits = 0;
  for (const word of truth) {
    const count = left.get(word) ?? 0;
    if (count > 0) hits += 1;
    left.set(word, count - 1);
  }
  return { found: hits, of: truth.length };
}

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus, "pdftotext")) return;
  const files = await textPdfs(corpus);
  const peers = (await Promise.all(Object.keys(PEERS).map((name) => Peer.open(name)))).filter(
    (peer) => peer !== undefined,
  );
  const truths = files.map((file) => parseBoxes(popplerBoxes(file)).flatMap((page) => page.map(({ text }) => text)));
  const total = truths.reduce((sum, words) => sum + words.length, 0);
  const recalls = new Map<string, { found: number; of: number }>();
  const failed = new Map<string, number>();
  const readers = [
    { name: OURS, read: readOurs },
    ...peers.map((peer) => ({ name: peer.name, read: (file: string) => peer.read(file) })),
  ];
  try {
    const repeated = await repeatUntilNarrow(
      async (round) => {
        const times: Record<string, number> = {};
        // Each file by all readers before the next: other load meets all of them.
        for (const [at, file] of files.entries()) {
          for (const { name, read } of readers) {
            const answer = await read(file);
            for (const key of ["wall", "cpu"] as const) {
              times[`${name} ${key}`] = (times[`${name} ${key}`] ?? 0) + answer[key];
            }
            if (round > 0) continue;
            if ("error" in answer) failed.set(name, (failed.get(name) ?? 0) + 1);
            const [sum, one] = [recalls.get(name) ?? { found: 0, of: 0 }, recallOf(answer.words, truths[at] ?? [])];
            recalls.set(name, { found: sum.found + one.found, of: sum.of + one.of });
          }
        }
        const ratios = peers.flatMap(({ name }) =>
          (["wall", "cpu"] as const).map((key) => [
            `${name} ratio ${key}`,
            (times[`${name} ${key}`] ?? Number.NaN) / (times[`${OURS} ${key}`] ?? Number.NaN),
          ]),
        );
        return { ...times, ...(Object.fromEntries(ratios) as Record<string, number>) };
      },
      {
        narrow: peers.map(({ name }) => `${name} ratio cpu`),
        mostMs: numberOf(args, "--minutes", DEFAULT_MINUTES) * 60_000,
      },
    );
    console.log(`${files.length} PDFs, ${total.toLocaleString("en-US")} words by poppler; ${sayLoad(repeated)}`);
    for (const { name } of readers) {
      const [wall, cpu] = [repeated.spreads[`${name} wall`], repeated.spreads[`${name} cpu`]];
      const { found = 0, of = 1 } = recalls.get(name) ?? {};
      const speed = `${((1000 * total) / (cpu?.median ?? Number.NaN)).toFixed(0).padStart(8)} words/s of processor time`;
      const clock = `${((1000 * total) / (wall?.median ?? Number.NaN)).toFixed(0).padStart(8)} by the clock`;
      console.log(`  ${name.padEnd(12)}${speed}${clock}, ${(found / of).toFixed(4)} of poppler's words`);
      if (failed.has(name)) console.log(`  ${"".padEnd(12)}refuses ${failed.get(name)} files`);
    }
    console.log("our speed, theirs = 1 (above 1: ours is faster); processor time, wall time");
    for (const { name } of peers) {
      if (failed.get(name) === files.length) {
        console.log(`  ${name.padEnd(12)}NOT COMPARED: it refuses every file`);
        continue;
      }
      const say = (key: string): string => {
        const spread = repeated.spreads[`${name} ratio ${key}`];
        return spread === undefined ? "" : sayFigure(spread, repeated.isNarrow);
      };
      console.log(`  ${name.padEnd(12)}${say("cpu")}, ${say("wall")}`);
    }
  } finally {
    for (const peer of peers) peer.close();
  }
}
