/** Captions of figures, and the text around those that have none. */

import type { Block, Box, Layout, Line, Page } from "../../../ports/layout.ts";
import { deskewPage } from "../../layout/deskew.ts";
import { boxOverlap, unionBox } from "../../layout/geometry.ts";
import { blockLines, lineText } from "../../layout/page-words.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { anyOf } from "../../values/vocabulary/word-patterns.ts";
import type { Figure } from "./figure.ts";

/** `Figure 3:`, `Fig. 2.`, `Abb. 1 –`, in the languages that documents of this kind come in. */
const NUMBER = String.raw`(?:\s*\d{1,3}(?:[.\-–]\d{1,3}){0,3}[a-z]?|\s+[A-Z](?:[.\-–]?\d{1,3})?|\s+[IVX]{1,5})(?![\p{L}\d])`;
const label = (words: readonly string[]): RegExp => new RegExp(`^(?:${anyOf(words)})${NUMBER}`, "iu");
const FIGURE_LABEL = label(wordsOf(({ layout }) => layout.figures));
/** A picture may be of a table. */
const TABLE_LABEL = label(wordsOf(({ layout }) => layout.tables));
/** A row of a list of figures. */
const LEADER = /[.·…_]{4,}|(?:\.\s){4,}/u;
/** `Figure 3 shows …` begins a sentence of the text. */
const STOP = /^\s*(?:$|[:.|–—-]|\p{Lu})/u;

/** Inches between a caption and its figure. */
const NEAR = 0.6;
/** Captions stand below more often: one above is taken for as much further away. */
const ABOVE = 0.08;
/** The two must lie over each other for so much of the narrower. */
const OVER = 0.3;
/** A caption of more lines is text. */
const MOST_LINES = 6;
/** Lines of a caption follow each other at no more than this, of their height. */
const LEADING = 1.2;
const MOST_CHARACTERS = 1_000;

interface Caption {
  text: string;
  box: Box;
  ofTable: boolean;
}

function isLabel(text: string, pattern: RegExp): boolean {
  const found = pattern.exec(text)?.[0];
  return found !== undefined && STOP.test(text.slice(found.length)) && !LEADER.test(text);
}

/** Whether a paragraph begins as captions of figures do. */
export const beginsFigureCaption = (text: string): boolean => isLabel(text, FIGURE_LABEL);

/** What a caption goes on with: lines below each other, up to the next caption. */
function captionAt(lines: readonly Line[], start: number): Caption | undefined {
  const first = lines[start];
  if (first === undefined) return undefined;
  const text = lineText(first);
  const ofFigure = isLabel(text, FIGURE_LABEL);
  if (!ofFigure && !isLabel(text, TABLE_LABEL)) return undefined;
  const own = [first];
  for (const line of lines.slice(start + 1, start + MOST_LINES)) {
    const before = own.at(-1) ?? first;
    const height = before.box.bottom - before.box.top;
    const follows = line.box.top - before.box.bottom <= LEADING * height && boxOverlap(line.box, before.box).across > 0;
    if (!follows || isLabel(lineText(line), FIGURE_LABEL) || isLabel(lineText(line), TABLE_LABEL)) break;
    own.push(line);
  }
  const whole = own.map(lineText).join(" ").slice(0, MOST_CHARACTERS);
  return { text: whole, box: unionBox(own.map(({ box }) => box)), ofTable: !ofFigure };
}

function captionsOf(page: Page): Caption[] {
  return page.blocks.flatMap((block) => {
    const lines = blockLines(block);
    return lines.flatMap((_, index) => captionAt(lines, index) ?? []);
  });
}

/** How far a caption is from a figure, inches; undefined when it is too far, or not above or below it. */
function distance(caption: Box, figure: Box): number | undefined {
  const { across } = boxOverlap(caption, figure);
  const narrower = Math.min(caption.right - caption.left, figure.right - figure.left);
  if (across < OVER * narrower) return undefined;
  const below = caption.top - figure.bottom;
  const above = figure.top - caption.bottom;
  const height = caption.bottom - caption.top;
  // A caption may lie on the edge of a figure's picture, and so a little inside.
  if (below >= -1.5 * height && caption.bottom > figure.bottom - height)
    return below <= NEAR ? Math.max(below, 0) : undefined;
  return above >= -height && above <= NEAR ? Math.max(above, 0) + ABOVE : undefined;
}

type PlacedFigure = Figure & { bbox: Box };

/** The nearest pairs first, each figure and caption once; captions of tables only for what is left. */
function pairs<F extends { bbox: Box }>(figures: readonly F[], captions: readonly Caption[]): Map<F, Caption> {
  const candidates = figures.flatMap((figure) =>
    captions.flatMap((caption) => {
      const apart = distance(caption.box, figure.bbox);
      return apart === undefined ? [] : [{ figure, caption, apart }];
    }),
  );
  candidates.sort((a, b) => Number(a.caption.ofTable) - Number(b.caption.ofTable) || a.apart - b.apart);
  const found = new Map<F, Caption>();
  const taken = new Set<Caption>();
  for (const { figure, caption } of candidates) {
    if (found.has(figure) || taken.has(caption)) continue;
    found.set(figure, caption);
    taken.add(caption);
  }
  // Parts side by side under one caption share it.
  for (const { figure, caption } of candidates) {
    const spans = caption.box.left < figure.bbox.right && caption.box.right > figure.bbox.left;
    const beside = figures.some(
      (other) => found.get(other) === caption && boxOverlap(other.bbox, figure.bbox).down > 0 && other !== figure,
    );
    if (!found.has(figure) && !caption.ofTable && spans && beside) found.set(figure, caption);
  }
  return found;
}

/** Inches around a figure in which text is about it, if anything is. */
const AROUND = 1.5;
const MOST_SENTENCES = 2;
const MOST_SURROUNDING = 300;
const LEAST_SURROUNDING = 20;

/** One or two sentences; of a text without any, its beginning. */
function sentences(text: string): string {
  const split = new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text);
  const found = [...split].slice(0, MOST_SENTENCES).map(({ segment }) => segment);
  const joined = found.join("").trim();
  if (joined.length <= MOST_SURROUNDING) return joined;
  const cut = joined.slice(0, MOST_SURROUNDING);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 1))}…`;
}

/** The paragraph nearest to a figure, above or below; its own column before others. */
function surrounding(figure: Box, page: Page): string | undefined {
  let best: { text: string; apart: number } | undefined;
  for (const block of page.blocks) {
    if (block.kind === "table" || block.kind === "header" || block.kind === "footer" || block.kind === "figure")
      continue;
    const text = blockLines(block).map(lineText).join(" ").trim();
    const { across, down } = boxOverlap(block.box, figure);
    const apart = Math.max(-down, 0) + (across > 0 ? 0 : 0.5 - across);
    if (text.length < LEAST_SURROUNDING || apart > AROUND) continue;
    if (best === undefined || apart < best.apart) best = { text, apart };
  }
  return best === undefined ? undefined : sentences(best.text);
}

/** The page and figures on it as the reader of its text sees both. */
function upright<F extends { bbox: Box }>(
  page: Page,
  figures: readonly F[],
): { page: Page; placed: { figure: F; bbox: Box }[] } {
  const shown = figures.map(({ bbox }): Block => ({ kind: "figure", box: bbox, lines: [] }));
  const turned = deskewPage({ ...page, blocks: [...page.blocks, ...shown] });
  const own = page.blocks.length;
  const placed = figures.map((figure, at) => ({ figure, bbox: turned.blocks[own + at]?.box ?? figure.bbox }));
  return { page: { ...turned, blocks: turned.blocks.slice(0, own) }, placed };
}

const isPlaced = (figure: Figure): figure is PlacedFigure => figure.bbox !== null;

/**
 * Figures with their captions, and with the text near those that have none. A caption stands within 0.6 inches above or
 * below, over or under the figure, and belongs to the nearest one; figures side by side may share one. Figures without a
 * place keep what they have.
 */
export function attachCaptions(figures: readonly Figure[], layout: Layout): Figure[] {
  const attached = new Map<Figure, Figure>();
  for (const page of layout.pages) {
    const own = figures.filter(isPlaced).filter(({ pageNumber }) => pageNumber === page.number);
    if (own.length === 0) continue;
    const { page: read, placed } = upright(page, own);
    const found = pairs(placed, captionsOf(read));
    for (const one of placed) {
      const { figure, bbox } = one;
      const caption = found.get(one)?.text ?? figure.caption;
      const near = caption === undefined ? (surrounding(bbox, read) ?? figure.surroundingText) : undefined;
      attached.set(figure, {
        ...figure,
        ...(caption === undefined ? {} : { caption }),
        ...(near === undefined ? {} : { surroundingText: near }),
      });
    }
  }
  return figures.map((figure) => attached.get(figure) ?? figure);
}

/** The page with its figures' captions tied to them, by the same rule; the captions stay among the blocks. */
export function tieCaptions(page: Page): Page {
  const figures = page.blocks.flatMap((block) => (block.kind === "figure" ? [{ block, bbox: block.box }] : []));
  if (figures.length === 0) return page;
  const found = pairs(figures, captionsOf(page));
  const texts = new Map([...found].map(([{ block }, { text }]) => [block, text]));
  const blocks = page.blocks.map((block): Block => {
    if (block.kind !== "figure") return block;
    const { caption: _, ...rest } = block;
    const caption = texts.get(block);
    return caption === undefined ? rest : { ...rest, caption };
  });
  return { ...page, blocks };
}

/** What a figure shows, as far as that can be told without looking at it: its caption, else the text near it. */
export const describeFigure = ({ caption, surroundingText }: Figure): string => caption ?? surroundingText ?? "";
