/** Attaches captions to figures, and nearby text to those without one. */
import type { Block, Box, Layout, Line, Page, Word } from "../../../ports/layout.ts";
import { deskewPage } from "../../layout/deskew.ts";
import { middleX, overlapExtents, unionBox } from "../../layout/geometry.ts";
import { blockLines, lineText } from "../../layout/page-words.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { anyOf } from "../../values/vocabulary/word-patterns.ts";
import { LEADER } from "../caption-labels.ts";
import type { Figure } from "./figure.ts";

/** Number of a label: `Figure 3:`, `Fig. 2.`, `Abb. 1 –`, in the languages of the documents. */
const LABEL_NUMBER = String.raw`(?:\s*\d{1,3}(?:[.\-–]\d{1,3}){0,3}[a-z]?|\s+[A-Z](?:[.\-–]?\d{1,3})?|\s+[IVX]{1,5})(?![\p{L}\d])`;
const labelPattern = (words: readonly string[]): RegExp => new RegExp(`^(?:${anyOf(words)})${LABEL_NUMBER}`, "iu");
const FIGURE_LABEL = labelPattern(wordsOf(({ layout }) => layout.figures));
/** Label of a table; a picture may be of one. */
const TABLE_LABEL = labelPattern(wordsOf(({ layout }) => layout.tables));
/** End of a label; `Figure 3 shows …` begins a sentence of the text. */
const LABEL_END = /^\s*(?:$|[:.|–—-]|\p{Lu})/u;

/** Gap between a caption and its figure. */
const MAX_CAPTION_GAP_INCHES = 0.6;
/** Distance added for a caption above its figure: captions stand below more often. */
const ABOVE_PENALTY_INCHES = 0.08;
/** Share of the narrower one's width that caption and figure have in common. */
const MIN_CAPTION_OVERLAP_SHARE = 0.3;
/** Lines of a caption; more are text. */
const MAX_CAPTION_LINES = 6;
/** Gap between lines of a caption, in heights. */
const MAX_CAPTION_LINE_GAP_HEIGHTS = 1.2;
const MAX_CAPTION_LENGTH = 1_000;
/** Space between captions side by side, in heights of a line: half as wide again as between words. */
const MIN_CAPTION_SPACE_HEIGHTS = 0.4;

interface Caption {
  text: string;
  box: Box;
  ofTable: boolean;
}

function isLabel(text: string, pattern: RegExp): boolean {
  const found = pattern.exec(text)?.[0];
  return found !== undefined && LABEL_END.test(text.slice(found.length)) && !LEADER.test(text);
}

/** True if a paragraph begins like a caption of a figure. */
export const beginsFigureCaption = (text: string): boolean => isLabel(text, FIGURE_LABEL);

/** A line, or its part under one of several figures side by side. */
interface LinePart {
  line: Line;
  /** Inches; the caption's further lines are cut to this range. */
  left: number;
  right: number;
}

const isAnyLabel = (text: string): boolean => isLabel(text, FIGURE_LABEL) || isLabel(text, TABLE_LABEL);
const lineOf = (words: readonly Word[]): Line => ({ box: unionBox(words.map(({ box }) => box)), words: [...words] });

/** Parts a line that holds captions side by side, each from its label on. */
function partLine(line: Line): LinePart[] {
  const { words, box } = line;
  const starts = words.flatMap((word, at) => {
    const before = words[at - 1];
    if (before === undefined) return [at];
    const gap = word.box.left - before.box.right;
    const isApart = gap >= MIN_CAPTION_SPACE_HEIGHTS * (box.bottom - box.top);
    return isApart && isAnyLabel(lineText(lineOf(words.slice(at)))) ? [at] : [];
  });
  if (starts.length < 2 || !isAnyLabel(lineText(line))) return [{ line, left: -Infinity, right: Infinity }];
  return starts.map((start, at) => ({
    line: lineOf(words.slice(start, starts[at + 1])),
    left: at === 0 ? -Infinity : (words[start]?.box.left ?? 0),
    right: words[starts[at + 1] ?? words.length]?.box.left ?? Infinity,
  }));
}

/** The words of a line below that are in a part's range; undefined without any. */
function cutToPart(line: Line, { left, right }: LinePart): Line | undefined {
  if (left === -Infinity && right === Infinity) return line;
  const words = line.words.filter(({ box }) => middleX(box) >= left && middleX(box) < right);
  return words.length === 0 ? undefined : lineOf(words);
}

/** The caption that begins at a line's part: lines below each other, up to the next caption. */
function captionAt(part: LinePart, below: readonly Line[]): Caption | undefined {
  const first = part.line;
  const text = lineText(first);
  const ofFigure = isLabel(text, FIGURE_LABEL);
  if (!ofFigure && !isLabel(text, TABLE_LABEL)) return undefined;
  const own = [first];
  for (const whole of below) {
    const line = cutToPart(whole, part);
    if (line === undefined) break;
    const before = own.at(-1) ?? first;
    const height = before.box.bottom - before.box.top;
    const follows =
      line.box.top - before.box.bottom <= MAX_CAPTION_LINE_GAP_HEIGHTS * height &&
      overlapExtents(line.box, before.box).across > 0;
    if (!follows || isAnyLabel(lineText(line))) break;
    own.push(line);
  }
  const whole = own.map(lineText).join(" ").slice(0, MAX_CAPTION_LENGTH);
  return { text: whole, box: unionBox(own.map(({ box }) => box)), ofTable: !ofFigure };
}

function captionsOf(page: Page): Caption[] {
  return page.blocks.flatMap((block) => {
    const lines = blockLines(block);
    return lines.flatMap((line, at) => {
      const below = lines.slice(at + 1, at + MAX_CAPTION_LINES);
      return partLine(line).flatMap((part) => captionAt(part, below) ?? []);
    });
  });
}

/** Boxes of the captions of figures on a page, inches. */
export const figureCaptionBoxes = (page: Page): Box[] =>
  captionsOf(page).flatMap(({ box, ofTable }) => (ofTable ? [] : [box]));

/** Distance of a caption from a figure, inches; undefined where it is too far, or not above or below it. */
function distance(caption: Box, figure: Box): number | undefined {
  const { across } = overlapExtents(caption, figure);
  const narrower = Math.min(caption.right - caption.left, figure.right - figure.left);
  if (across < MIN_CAPTION_OVERLAP_SHARE * narrower) return undefined;
  const below = caption.top - figure.bottom;
  const above = figure.top - caption.bottom;
  const height = caption.bottom - caption.top;
  // A caption may lie on the edge of a figure's picture, and so a little inside.
  if (below >= -1.5 * height && caption.bottom > figure.bottom - height)
    return below <= MAX_CAPTION_GAP_INCHES ? Math.max(below, 0) : undefined;
  return above >= -height && above <= MAX_CAPTION_GAP_INCHES ? Math.max(above, 0) + ABOVE_PENALTY_INCHES : undefined;
}

type PlacedFigure = Figure & { bbox: Box };

/** Pairs figures and captions, the nearest first, each once; captions of tables only for figures that are left. */
function pairWithCaptions<F extends { bbox: Box }>(
  figures: readonly F[],
  captions: readonly Caption[],
): Map<F, Caption> {
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
      (other) => found.get(other) === caption && overlapExtents(other.bbox, figure.bbox).down > 0 && other !== figure,
    );
    if (!found.has(figure) && !caption.ofTable && spans && beside) found.set(figure, caption);
  }
  return found;
}

/** Distance of text that is about a figure. */
const MAX_TEXT_DISTANCE_INCHES = 1.5;
const MAX_SENTENCES = 2;
const MAX_SURROUNDING_LENGTH = 300;
const MIN_SURROUNDING_LENGTH = 20;

/** The first two sentences, cut to length; of a text without any, its beginning. */
function firstSentences(text: string): string {
  const split = new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text);
  const found = [...split].slice(0, MAX_SENTENCES).map(({ segment }) => segment);
  const joined = found.join("").trim();
  if (joined.length <= MAX_SURROUNDING_LENGTH) return joined;
  const cut = joined.slice(0, MAX_SURROUNDING_LENGTH);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 1))}…`;
}

/** The paragraph nearest to a figure, above or below; its own column before others. */
function nearestText(figure: Box, page: Page): string | undefined {
  let best: { text: string; apart: number } | undefined;
  for (const block of page.blocks) {
    if (block.kind === "table" || block.kind === "header" || block.kind === "footer" || block.kind === "figure")
      continue;
    const text = blockLines(block).map(lineText).join(" ").trim();
    const { across, down } = overlapExtents(block.box, figure);
    const apart = Math.max(-down, 0) + (across > 0 ? 0 : 0.5 - across);
    if (text.length < MIN_SURROUNDING_LENGTH || apart > MAX_TEXT_DISTANCE_INCHES) continue;
    if (best === undefined || apart < best.apart) best = { text, apart };
  }
  return best === undefined ? undefined : firstSentences(best.text);
}

/** The page and its figures, turned upright. */
function uprightWithFigures<F extends { bbox: Box }>(
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
 * Attaches captions to figures, and nearby text to those that have none. A caption stands within 0.6 inches above or
 * below, over or under the figure, and belongs to the nearest one; figures side by side may share one. Figures without
 * a place keep what they have.
 */
export function attachCaptions(figures: readonly Figure[], layout: Layout): Figure[] {
  const attached = new Map<Figure, Figure>();
  for (const page of layout.pages) {
    const own = figures.filter(isPlaced).filter(({ pageNumber }) => pageNumber === page.number);
    if (own.length === 0) continue;
    const { page: read, placed } = uprightWithFigures(page, own);
    const found = pairWithCaptions(placed, captionsOf(read));
    for (const one of placed) {
      const { figure, bbox } = one;
      const caption = found.get(one)?.text ?? figure.caption;
      const near = caption === undefined ? (nearestText(bbox, read) ?? figure.surroundingText) : undefined;
      attached.set(figure, {
        ...figure,
        ...(caption === undefined ? {} : { caption }),
        ...(near === undefined ? {} : { surroundingText: near }),
      });
    }
  }
  return figures.map((figure) => attached.get(figure) ?? figure);
}

/** Sets the captions of the page's figure blocks, by the same rule; the captions stay among the blocks. */
export function tieCaptions(page: Page): Page {
  const figures = page.blocks.flatMap((block) => (block.kind === "figure" ? [{ block, bbox: block.box }] : []));
  if (figures.length === 0) return page;
  const found = pairWithCaptions(figures, captionsOf(page));
  const texts = new Map([...found].map(([{ block }, { text }]) => [block, text]));
  const blocks = page.blocks.map((block): Block => {
    if (block.kind !== "figure") return block;
    const { caption: _, ...rest } = block;
    const caption = texts.get(block);
    return caption === undefined ? rest : { ...rest, caption };
  });
  return { ...page, blocks };
}

/** Describes a figure without looking at it: by its caption, else the text near it. */
export const describeFigure = ({ caption, surroundingText }: Figure): string => caption ?? surroundingText ?? "";
