/** Long documents set by our own code: headings, paragraphs and tables of words as rare and as frequent as in prose. */
import type { Block, Box, Layout, Line, Page } from "../../functions/ports/layout.ts";

/** Words of the language that the documents are written in. */
const VOCABULARY = 30_000;
const LINE_WORDS = 11;
const LINES_PER_PAGE = 42;
const LINE_INCHES = 0.22;
const ONSETS = "b c d f g h j k l m n p r s t v w br st tr pl".split(" ");
const VOWELS = "a e i o u ai ea oo".split(" ");

/** Numbers from 0 to 1, always the same ones (a linear congruence). */
export function drawnNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The word of a rank: short ones first, each once. */
function wordOf(rank: number): string {
  let [rest, word] = [rank + 1, ""];
  for (; rest > 0; rest = Math.floor(rest / (ONSETS.length * VOWELS.length))) {
    const syllable = rest % (ONSETS.length * VOWELS.length);
    word += (ONSETS[syllable % ONSETS.length] ?? "") + (VOWELS[Math.floor(syllable / ONSETS.length)] ?? "");
  }
  return word;
}

const WORDS = Array.from({ length: VOCABULARY }, (_, rank) => wordOf(rank));

/** A word: its rank is drawn so that the n-th is 1/n as frequent as the first (Zipf's law). */
const drawWord = (draw: () => number): string =>
  WORDS[Math.min(VOCABULARY - 1, Math.floor(VOCABULARY ** draw()) - 1)] ?? "";

const box = (top: number, lines: number): Box => ({ left: 1, top, right: 7.5, bottom: top + lines * LINE_INCHES });

const lineOf = (words: readonly string[], top: number): Line => ({
  box: box(top, 1),
  words: words.map((text) => ({ text, box: box(top, 1) })),
});

function drawLine(draw: () => number, top: number, count = LINE_WORDS): Line {
  return lineOf(
    Array.from({ length: count }, () => drawWord(draw)),
    top,
  );
}

function drawTable(draw: () => number, top: number, rows: number): Block {
  const cells = Array.from({ length: rows * 3 }, (_, at) => {
    const row = Math.floor(at / 3);
    const line = drawLine(draw, top + row * LINE_INCHES, 3);
    return { row, column: at % 3, rowSpan: 1, columnSpan: 1, box: line.box, lines: [line] };
  });
  return { kind: "table", box: box(top, rows), rows, columns: 3, headerRows: 1, cells };
}

function drawPage(draw: () => number, number: number): Page {
  const blocks: Block[] = [];
  let line = 0;
  while (line < LINES_PER_PAGE) {
    const top = 1 + line * LINE_INCHES;
    const chance = draw();
    const rows = Math.min(LINES_PER_PAGE - line, 3 + Math.floor(draw() * 6));
    if (chance < 0.15) {
      blocks.push({ kind: "heading", box: box(top, 1), lines: [drawLine(draw, top, 4)], level: 2 });
      line += 1;
    } else if (chance < 0.25) {
      blocks.push(drawTable(draw, top, rows));
      line += rows;
    } else {
      const lines = Array.from({ length: rows }, (_, at) => drawLine(draw, top + at * LINE_INCHES));
      blocks.push({ kind: "paragraph", box: box(top, rows), lines });
      line += rows;
    }
  }
  return { number, width: 8.5, height: 11, unit: "inch", rotation: 0, blocks };
}

/** Draws a document; the same seed gives the same one. */
export function drawDocument(pageCount: number, seed: number): Layout {
  const draw = drawnNumbers(seed);
  const pages = Array.from({ length: pageCount }, (_, at) => drawPage(draw, at + 1));
  return { v: 3, provider: "drawn", logicalPages: false, pageCount, pages };
}
