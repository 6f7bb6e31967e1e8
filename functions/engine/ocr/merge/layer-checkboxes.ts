/** Adds recognised checkboxes to the words of a text layer, which lacks drawn marks. */

import type { Block, Line, Page, TableBlock, Word } from "../../../ports/layout.ts";
import type { OcrPage } from "../../../ports/ocr.ts";
import { isCheckboxCharacter, showsEmptyBoxOnly } from "../../layout/checkbox-characters.ts";
import { containsMiddle } from "../../layout/geometry.ts";
import { pageWords } from "../../layout/page-words.ts";
import { changeLines, insertByPlace, wordsAtPlaces } from "../../layout/word-places.ts";
import { insertCheckboxes } from "../checkboxes.ts";

const lineOf = (mark: Word): Line => ({ box: mark.box, words: [mark] });

/** Ticks the boxes that the layer shows empty, though they are ticked. */
function tickFrames(blocks: readonly Block[], ticked: ReadonlyMap<Word, Word>): Block[] {
  if (ticked.size === 0) return [...blocks];
  const tick = (word: Word): Word => ticked.get(word) ?? word;
  return blocks.map((block) =>
    changeLines(block, (lines) => lines.map((line) => ({ ...line, words: line.words.map(tick) }))),
  );
}

/** Inserts checkboxes into the cells that they stand in. */
function markCells(table: TableBlock, marks: readonly Word[], angle: number): { table: TableBlock; rest: Word[] } {
  const rest = new Set(marks);
  const cells = table.cells.map((cell) => {
    const own = [...rest].filter(({ box }) => containsMiddle(cell.box, box));
    if (own.length === 0) return cell;
    for (const mark of own) rest.delete(mark);
    const { lines, alone } = insertCheckboxes(cell.lines, own, angle);
    return { ...cell, lines: [...lines, ...alone.map(lineOf)].sort((a, b) => a.box.top - b.box.top) };
  });
  return { table: { ...table, cells }, rest: [...rest] };
}

/**
 * Adds checkboxes that were recognised where the text layer has no word; a box that the layer shows empty and that was
 * recognised as ticked is ticked. Comments stay as they are. Checkboxes that stand alone, other than in the engine's
 * tables, are left out.
 */
export function addLayerCheckboxes(blocks: readonly Block[], recognised: Page, { angle, tables }: OcrPage): Block[] {
  const wordsAt = wordsAtPlaces({ ...recognised, blocks: blocks.filter(({ kind }) => kind !== "note") });
  const ticked = new Map<Word, Word>();
  let marks = pageWords(recognised).filter((mark) => {
    if (!isCheckboxCharacter(mark.text)) return false;
    const there = wordsAt(mark.box);
    const frame = there.find(({ text }) => showsEmptyBoxOnly(mark.text, text));
    if (frame !== undefined) ticked.set(frame, { ...mark, box: frame.box });
    return there.length === 0;
  });
  if (marks.length === 0) return tickFrames(blocks, ticked);
  const tabled = tickFrames(blocks, ticked).map((block) => {
    if (block.kind !== "table") return block;
    const { table, rest } = markCells(block, marks, angle);
    marks = rest;
    return table;
  });
  const isText = (block: Block): boolean => block.kind !== "table" && block.kind !== "note";
  const lines = tabled.filter(isText).flatMap((block) => (block.kind === "table" ? [] : block.lines));
  const { lines: marked, alone } = insertCheckboxes(lines, marks, angle);
  const changed = new Map(lines.map((line, index) => [line, marked[index] ?? line]));
  const texts = tabled.map((block) =>
    isText(block) ? changeLines(block, (own) => own.map((line) => changed.get(line) ?? line)) : block,
  );
  const inTables = alone.filter(({ box }) => tables.some((table) => containsMiddle(table.box, box)));
  return insertByPlace(
    texts,
    inTables.map((mark) => ({ kind: "paragraph", box: mark.box, lines: [lineOf(mark)] })),
  );
}
