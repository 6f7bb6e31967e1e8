/**
 * PDFs of the corpus beside libraries of other projects: words (PyMuPDF, pypdfium2, pdfplumber, kreuzberg), Markdown
 * (kreuzberg) and cells of tables (camelot, pdfplumber), each with both sides in every round: our speed relative to
 * theirs, and what each finds. The libraries are installed once by pip under node_modules/.cache; one that cannot be
 * installed is left out, loudly. `npm run bench -- peers [--corpus DIR] [--minutes N] [--only NAME]`; N for one comparison.
 */
import { PEERS, Peer, type PeerAnswer, type Work } from "./peers/python-peer.ts";
import { doOurs } from "./peers/works.ts";
import { canMeasure, corpusFolder, textPdfs } from "./support/corpus.ts";
import { type RequirementLine, requireAll } from "./support/holds.ts";
import { numberOf, optionOf } from "./support/options.ts";
import { parseBoxes, popplerBoxes } from "./support/poppler.ts";
import { isNarrow, judge, type Repeated, repeatUntilNarrow, sayFigure, sayLoad } from "./support/repeat.ts";

/** Most minutes of one comparison: its first look at all files, and six rounds on a busy machine. */
const DEFAULT_MINUTES = 4;
/** Widest interval of a ratio that is told, as a share of it: what is required is a factor, not a percentage. */
const MAX_WIDTH = 0.15;
/** Milliseconds of a round; where all files take longer, as with pdfplumber, every n-th is timed, and more rounds fit. */
const MAX_ROUND_MS = 10_000;
/** Markdown of the whole reading, kreuzberg = 1. */
const MIN_MARKDOWN_RATIO = 3;
/** Folders of documents with tables that other libraries read within minutes. */
const TABLE_FOLDERS = /\/(?:invoices|figures-barcodes)\/|\/warn-report-/;

/** The share of the truth's words that a reader finds, each as often as it is there. */
function countFound(found: readonly string[], truth: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of found) left.set(word, (left.get(word) ?? 0) + 1);
  return truth.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  }).length;
}

/** The findings of one reader in all files. */
class Tally {
  found = 0;
  refused = 0;

  add({ words, error }: PeerAnswer, truth: readonly string[] | undefined): void {
    this.found += truth === undefined ? words.length : countFound(words, truth);
    if (error !== undefined) this.refused += 1;
  }
}

interface Comparison {
  ours: Tally;
  theirs: Tally;
  /** Number of the files that are timed. */
  timed: number;
  repeated: Repeated<"cpu" | "wall" | "ourCpu" | "theirCpu">;
}

/** Each file by both before the next, so that other load meets both; what they find is counted before the rounds. */
async function compare(
  peer: Peer,
  work: Work,
  files: readonly string[],
  truths: ReadonlyMap<string, readonly string[]> | undefined,
  minutes: number,
): Promise<Comparison> {
  const [ours, theirs] = [new Tally(), new Tally()];
  const begun = performance.now();
  for (const file of files) {
    ours.add(await doOurs(work, file), truths?.get(file));
    theirs.add(await peer.do(work, file), truths?.get(file));
  }
  const step = Math.ceil((performance.now() - begun) / MAX_ROUND_MS);
  const timed = files.filter((_, at) => at % step === 0);
  const repeated = await repeatUntilNarrow(
    async () => {
      const sums = { ours: { wall: 0, cpu: 0 }, theirs: { wall: 0, cpu: 0 } };
      for (const file of timed) {
        const [own, other] = [await doOurs(work, file), await peer.do(work, file)];
        for (const key of ["wall", "cpu"] as const) {
          sums.ours[key] += own[key];
          sums.theirs[key] += other[key];
        }
      }
      return {
        cpu: sums.theirs.cpu / sums.ours.cpu,
        wall: sums.theirs.wall / sums.ours.wall,
        ourCpu: sums.ours.cpu,
        theirCpu: sums.theirs.cpu,
      };
    },
    { narrow: ["cpu"], width: MAX_WIDTH, mostMs: minutes * 60_000 },
  );
  return { ours, theirs, timed: timed.length, repeated };
}

function say({ ours, theirs, timed, repeated }: Comparison, title: string, words: number | undefined): void {
  const { cpu, wall, ourCpu, theirCpu } = repeated.spreads;
  const ratio = `processor time ${sayFigure(cpu, isNarrow(cpu, MAX_WIDTH))}, by the clock ${sayFigure(wall, isNarrow(wall, MAX_WIDTH))}`;
  console.log(`${title.padEnd(22)}${ratio}; ${timed} files; ${sayLoad(repeated)}`);
  const sayFound = ({ found, refused }: Tally): string => {
    const share = words === undefined ? `${found} cells` : `${(found / words).toFixed(4)} of poppler's words`;
    return refused === 0 ? share : `${share}, refuses ${refused} files`;
  };
  const seconds = (cpu: number): string => `${(cpu / 1000).toFixed(2)} s`;
  console.log(
    `${"".padEnd(22)}ours ${seconds(ourCpu.median)}, ${sayFound(ours)}; theirs ${seconds(theirCpu.median)}, ${sayFound(theirs)}`,
  );
}

/** Markdown beside kreuzberg, by processor time: a factor that its own threads do not change. */
function markdownLine({ repeated }: Comparison): RequirementLine {
  const verdict = judge(repeated.spreads.cpu, { least: MIN_MARKDOWN_RATIO });
  const found = sayFigure(repeated.spreads.cpu, verdict !== "INCONCLUSIVE");
  return {
    name: `Markdown, kreuzberg's time = 1: ${MIN_MARKDOWN_RATIO} at least: ${verdict}`,
    ok: verdict === "holds",
    found,
  };
}

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus, "pdftotext")) return;
  const files = await textPdfs(corpus);
  const truths = new Map(
    files.map((file) => [file, parseBoxes(popplerBoxes(file)).flatMap((page) => page.map(({ text }) => text))]),
  );
  const words = [...truths.values()].reduce((sum, { length }) => sum + length, 0);
  const minutes = numberOf(args, "--minutes", DEFAULT_MINUTES);
  const only = optionOf(args, "--only");
  const tableFiles = files.filter((file) => TABLE_FOLDERS.test(file));
  console.log(
    `${files.length} PDFs, ${words.toLocaleString("en-US")} words by poppler; tables in ${tableFiles.length} of them`,
  );
  console.log("our speed, theirs = 1 (above 1: ours is faster), median of the rounds");
  const required: RequirementLine[] = [];
  for (const [name, { works }] of Object.entries(PEERS)) {
    if (only !== undefined && only !== name) continue;
    const peer = await Peer.open(name);
    if (peer === undefined) continue;
    try {
      for (const work of works) {
        const isTables = work === "tables";
        const compared = await compare(
          peer,
          work,
          isTables ? tableFiles : files,
          isTables ? undefined : truths,
          minutes,
        );
        say(compared, `${work}, ${name}`, isTables ? undefined : words);
        if (work === "markdown") required.push(markdownLine(compared));
      }
    } finally {
      peer.close();
    }
  }
  if (required.length > 0) requireAll(required);
}
