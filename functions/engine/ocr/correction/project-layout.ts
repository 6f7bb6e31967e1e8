/** Replaces the text of a layout by the corrected text, in its places. Pure. */
import type { Block, Layout, Line, Page, Word } from "../../../ports/layout.ts";
import type { CorrectedDocument } from "./correct-document.ts";

/** Corrected texts by the references of their words; empty for a word that was merged into another. */
function textsOf({ content, sourceMap }: CorrectedDocument): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { words = [] } of sourceMap?.pages ?? []) {
    for (const { start, length, refs } of words) {
      const [first, ...others] = refs;
      if (first === undefined) continue;
      const before = texts.get(first);
      const text = content.slice(start, start + length);
      texts.set(first, before === undefined || before === "" ? text : `${before} ${text}`);
      for (const ref of others) texts.set(ref, "");
    }
  }
  return texts;
}

/**
 * Corrects the words of a line: one that became several is repeated in its place; one that was merged into another is
 * dropped.
 */
function projectLine(line: Line, textOf: (word: Word) => string): Line {
  const words = line.words.flatMap((word) =>
    textOf(word)
      .split(/\s+/)
      .filter((text) => text !== "")
      .map((text) => (text === word.text ? word : { ...word, text })),
  );
  return { ...line, words };
}

function projectPage(page: Page, texts: ReadonlyMap<string, string>): Page {
  // References count block by block, a table cell by cell.
  let at = 0;
  const textOf = (word: Word): string => {
    const ref = `p${page.number}/w${at}`;
    at += 1;
    return texts.get(ref) ?? word.text;
  };
  const projectLines = (lines: Line[]): Line[] =>
    lines.map((line) => projectLine(line, textOf)).filter(({ words }) => words.length > 0);
  const blocks = page.blocks.map(
    (block): Block =>
      block.kind === "table"
        ? { ...block, cells: block.cells.map((cell) => ({ ...cell, lines: projectLines(cell.lines) })) }
        : { ...block, lines: projectLines(block.lines) },
  );
  return { ...page, blocks };
}

/** Projects a corrected document onto its layout. @param corrected with a map word by word */
export function projectLayout(layout: Layout, corrected: CorrectedDocument): Layout {
  const texts = textsOf(corrected);
  return { ...layout, pages: layout.pages.map((page) => projectPage(page, texts)) };
}
