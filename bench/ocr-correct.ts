/**
 * Offline correction of recognised text: pages with a text layer, degraded like a poor scan, recognised, and compared
 * with the text layer before and after the correction.
 * `npm run bench -- ocr-correct [--pages N] [--corpus DIR]`
 */

import { blockLines, pageWords } from "../functions/engine/layout/page-words.ts";
import { correctedWord, vocabularyOf } from "../functions/engine/ocr/correction/dictionary-correction.ts";
import type { Page } from "../functions/ports/layout.ts";
import { openRecognition } from "./confidence/documents.ts";
import { benchPages, toUpright } from "./ocr/pages.ts";
import { scorePage } from "./ocr/score.ts";
import { canMeasure, corpusFolder } from "./support/corpus.ts";
import type { PlacedText } from "./support/match.ts";

const DEFAULT_PAGES = 12;

/** Applies every correction to the page. */
function applyCorrections(page: Page): { page: Page; changes: [string, string][] } {
  const own = vocabularyOf({ pages: [page] });
  const copy = JSON.parse(JSON.stringify(page)) as Page;
  const changes: [string, string][] = [];
  for (const word of copy.blocks.flatMap(blockLines).flatMap(({ words }) => words)) {
    const text = correctedWord(word, own);
    if (text === null) continue;
    changes.push([word.text, text]);
    word.text = text;
  }
  return { page: copy, changes };
}

export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus)) return;
  const at = args.indexOf("--pages");
  const most = at < 0 ? DEFAULT_PAGES : Number(args[at + 1]);
  const { recognise, close } = openRecognition(null);
  const sums = { words: 0, before: 0, after: 0, changes: 0, worse: 0, pages: 0 };
  for await (const { name, frame, truth, scan } of benchPages(corpus, most)) {
    const placed = (page: Page): PlacedText[] =>
      pageWords(page).map(({ text, box }) => {
        const { x, y } = toUpright((box.left + box.right) / 2, (box.top + box.bottom) / 2, frame);
        const [width, height] = [(box.right - box.left) / 2, (box.bottom - box.top) / 2];
        return { text, box: { left: x - width, top: y - height, right: x + width, bottom: y + height } };
      });
    const read = await recognise(scan, frame, name);
    const { page, changes } = applyCorrections(read);
    const [before, after] = [scorePage(truth, placed(read)), scorePage(truth, placed(page))];
    const worse = after.found < before.found;
    sums.pages += 1;
    sums.words += before.words;
    sums.before += before.words - before.found;
    sums.after += after.words - after.found;
    sums.changes += changes.length;
    if (worse) sums.worse += 1;
    console.log(
      `${name.padEnd(52)} ${String(before.words).padStart(5)} words, wrong ${before.words - before.found} → ` +
        `${after.words - after.found}${worse ? " WORSE" : ""}${
          changes.length === 0
            ? ""
            : `  ${changes
                .slice(0, 4)
                .map((change) => change.join("→"))
                .join(", ")}`
        }`,
    );
  }
  await close();
  const rate = (wrong: number): string => (wrong / Math.max(1, sums.words)).toFixed(4);
  console.log(
    `${sums.pages} pages, ${sums.changes} changes: word error ${rate(sums.before)} before, ${rate(sums.after)} after ` +
      `(ratio ${(sums.after / Math.max(1, sums.before)).toFixed(3)}); pages made worse: ${sums.worse} (goal 0)`,
  );
  if (sums.worse > 0) process.exitCode = 1;
}
