/**
 * Offline selection of figures: how often the right figure comes first, for queries by somebody who saw the pictures,
 * not the text beside them. The yardstick takes the figure whose page has most of the query's words.
 * `npm run bench -- image-select [--corpus DIR] [--verbose]`
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { type ListedFigure, rankFigures, termsOf } from "../functions/engine/analysis/rank-figures.ts";
import { pageWords } from "../functions/engine/layout/page-words.ts";
import { findFigures } from "../functions/engine/readers/figures/find-figures.ts";
import { readDocument } from "../functions/engine/readers/read-document.ts";
import { sniffDocument } from "../functions/engine/readers/sniff-media-type.ts";
import { attachCaptions, describeFigure } from "../functions/engine/structure/figures/figure-captions.ts";
import type { Layout } from "../functions/ports/layout.ts";
import { canMeasure, corpusFolder } from "./support/corpus.ts";

const MIN_FIRST_SHARE = 0.8;

/** Queries by document, with the figure that answers each. */
const QUERIES_BY_DOCUMENT: Record<string, [query: string, id: string][]> = {
  "long/pd-kids-fairy-tales-55p.pdf": [
    ["the moon caught under a tree in the bog", "p2f1"],
    ["a bee", "p9f1"],
    ["Hiawatha, a man alone before the sunset", "p11f1"],
    ["portrait of Thomas Jefferson", "p13f1"],
    ["photograph of Frederick Douglass", "p19f1"],
    ["Oliver Twist asks for more", "p33f1"],
    ["Oliver meets Fagin and the Dodger", "p37f1"],
    ["Oliver is hit at the burglary", "p41f1"],
    ["a kite flying", "p47f1"],
    ["old Chinese painting of a river", "p49f1"],
  ],
  "long/irs-1040a-instructions-88p.pdf": [
    ["the e-file logo", "p1f2"],
    ["the Free File logo", "p1f3"],
    ["why people file electronically", "p4f1"],
    ["example of looking up the earned income credit in the table", "p45f1"],
    ["Where's my refund?", "p78f1"],
    ["pie chart of federal income by taxes", "p85f1"],
    ["pie chart of federal outlays", "p85f2"],
  ],
  "figures-barcodes/two-captioned-figures.pdf": [
    ["Figure 1", "p1f1"],
    ["Figure 2", "p2f1"],
  ],
  "figures-barcodes/docx-three-pictures.docx": [["the inline picture", "p1f3"]],
};

async function loadFigures(file: string): Promise<{ figures: ListedFigure[]; layout: Layout }> {
  const bytes = new Uint8Array(await readFile(file));
  const { mimeType } = sniffDocument(bytes, undefined, file);
  const { layout } = await readDocument(bytes, { mimeType });
  const found = attachCaptions(await findFigures(bytes, mimeType), layout);
  const figures = found.map((figure) => ({
    id: figure.id,
    pageNumber: figure.pageNumber,
    bbox: figure.bbox ?? null,
    mimeType: figure.mimeType,
    caption: figure.caption ?? null,
    description: describeFigure(figure),
  }));
  return { figures, layout };
}

/** The first figure on the page with most of the query's words. */
function firstFigureOfBestPage(figures: readonly ListedFigure[], layout: Layout, query: string): string | undefined {
  const terms = termsOf(query);
  const scored = figures.map(({ id, pageNumber }) => {
    const page = layout.pages.find(({ number }) => number === pageNumber);
    const words = new Set(
      termsOf(
        page === undefined
          ? ""
          : pageWords(page)
              .map(({ text }) => text)
              .join(" "),
      ),
    );
    return { id, score: terms.filter((term) => words.has(term)).length };
  });
  return scored.sort((a, b) => b.score - a.score)[0]?.id;
}

export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus)) return;
  let [asked, ours, plain] = [0, 0, 0];
  for (const [file, queries] of Object.entries(QUERIES_BY_DOCUMENT)) {
    const { figures, layout } = await loadFigures(path.join(corpus, file));
    let right = 0;
    for (const [prompt, id] of queries) {
      const ranked = rankFigures(figures, layout, { prompt, matchMode: "any" });
      const hit = ranked[0]?.id === id;
      if (hit) right += 1;
      else if (args.includes("--verbose")) {
        const told = ranked.slice(0, 3).map((one) => `\n    ${one.id} ${one.score} ${one.reason}`);
        console.log(`MISSED "${prompt}" (${id})${told.join("")}`);
      }
      if (firstFigureOfBestPage(figures, layout, prompt) === id) plain += 1;
    }
    asked += queries.length;
    ours += right;
    console.log(`${file.padEnd(48)}${String(right).padStart(3)} of ${queries.length}, among ${figures.length} figures`);
  }
  const share = ours / asked;
  console.log(
    `right figure first: ${share.toFixed(3)} of ${asked} queries (goal ${MIN_FIRST_SHARE}); words of the page alone ` +
      `${(plain / asked).toFixed(3)}; ratio ${(ours / Math.max(1, plain)).toFixed(2)}`,
  );
  if (share < MIN_FIRST_SHARE) process.exitCode = 1;
}
