/** A layout with its text corrected: what stands on the page is the corrected text, where it stood before. Pure. */
import type { Block, Layout, Line, Page, Word } from "../../../ports/layout.ts";
import type { CorrectedDocument } from "./correct-document.ts";

/** Texts by the references of the words that they stand for; an empty text: it went into another's. */
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

/** A word that became several stands as often where it stood; one that went into another does not stand any more. */
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
  // In the order in which references count: block by block, a table cell by cell.
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

/** @param corrected with a map word by word */
export function projectLayout(layout: Layout, corrected: CorrectedDocument): Layout {
  const texts = textsOf(corrected);
  return { ...layout, pages: layout.pages.map((page) => projectPage(page, texts)) };
}
