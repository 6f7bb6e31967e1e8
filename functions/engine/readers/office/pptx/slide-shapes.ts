/** The text of a slide's shapes as blocks that stand where the shapes stand. */
import type { Block, Box, TextBlock, TextBlockKind } from "../../../../ports/layout.ts";
import { unionBox } from "../../../layout/geometry.ts";
import { round } from "../../../layout/logical/logical-rows.ts";
import { formatCount } from "../number-formats.ts";
import type { Relationships } from "../relationships.ts";
import { readShapeRuns, type ShapeRun } from "../shape-text.ts";
import { childOf, elementsOf, integerOf, type XmlElement } from "../xml-parts.ts";
import { type Bullet, type LevelLooks, type Placeholder, readLevelLooks, readLevels } from "./placeholders.ts";
import { layText, type ShapeParagraph, USUAL_SIZE } from "./text-frame.ts";

const DEEPEST_LEVEL = 8;

/** What paragraphs of a shape take from elsewhere, the nearest first. */
type Inherited = readonly ReadonlyMap<number, LevelLooks>[];

/** Kinds of blocks by the placeholders that they fill; others hold paragraphs. */
const BLOCK_KINDS: Readonly<Record<string, { kind: TextBlockKind; level?: number }>> = {
  title: { kind: "heading", level: 1 },
  ctrTitle: { kind: "heading", level: 1 },
  subTitle: { kind: "heading", level: 2 },
  hdr: { kind: "header" },
  ftr: { kind: "footer" },
  dt: { kind: "footer" },
  sldNum: { kind: "footer" },
};

/** Numbers of the format's own names: `alphaLcParenR` is `a)`. */
function countMark(scheme: string, value: number): string {
  const format = /^alphaLc/.test(scheme)
    ? "lowerLetter"
    : /^alphaUc/.test(scheme)
      ? "upperLetter"
      : /^romanLc/.test(scheme)
        ? "lowerRoman"
        : /^romanUc/.test(scheme)
          ? "upperRoman"
          : "decimal";
  const count = formatCount(value, format);
  if (scheme.endsWith("ParenBoth")) return `(${count})`;
  if (scheme.endsWith("ParenR")) return `${count})`;
  return scheme.endsWith("Plain") ? count : `${count}.`;
}

/** Counts the paragraphs of one shape. */
class Counter {
  readonly #counts: { scheme: string; value: number }[] = [];

  mark(bullet: Bullet | undefined, level: number): string | undefined {
    this.#counts.length = Math.min(this.#counts.length, level + 1);
    if (bullet?.kind !== "count") {
      delete this.#counts[level];
      return bullet?.kind === "sign" && bullet.text !== "" ? bullet.text : undefined;
    }
    const before = this.#counts[level];
    const value = before?.scheme === bullet.scheme ? before.value + 1 : bullet.start;
    this.#counts[level] = { scheme: bullet.scheme, value };
    return countMark(bullet.scheme, value);
  }
}

const hasText = (runs: readonly ShapeRun[]): boolean => runs.some(({ text }) => /\S/.test(text));

/** The paragraphs of an `a:txBody` that have text. */
export function readParagraphs(body: XmlElement, relationships: Relationships, inherited: Inherited): ShapeParagraph[] {
  const chain = [readLevels(childOf(body, "lstStyle")), ...inherited];
  const counter = new Counter();
  return [...elementsOf(body)].flatMap((element) => {
    const runs = element.name === "p" ? readShapeRuns(element, relationships) : [];
    if (!hasText(runs)) return [];
    const properties = childOf(element, "pPr");
    const level = integerOf(properties?.attributes.lvl, 0, DEEPEST_LEVEL) ?? 0;
    const looks = [readLevelLooks(properties), ...chain.map((levels) => levels.get(level) ?? {})];
    const bullet = looks.find((one) => one.bullet !== undefined)?.bullet;
    const marker = counter.mark(bullet, level);
    const sizes = runs.flatMap(({ size }) => (size === undefined ? [] : [size]));
    const size = sizes.length > 0 ? Math.max(...sizes) : looks.find((one) => one.size !== undefined)?.size;
    const bold = looks.find((one) => one.bold !== undefined)?.bold ?? false;
    return [{ runs, level, size: size ?? USUAL_SIZE, bold, ...(marker === undefined ? {} : { marker }) }];
  });
}

function toBlock(
  paragraph: ShapeParagraph,
  lines: TextBlock["lines"],
  placeholder: Placeholder | undefined,
): TextBlock {
  const box = unionBox(lines.map((line) => line.box));
  const known = BLOCK_KINDS[placeholder?.type ?? ""];
  const { marker, level } = paragraph;
  if (known !== undefined) return { ...known, box, lines };
  if (marker === undefined) return { kind: "paragraph", box, lines };
  return { kind: "list-item", box, lines, level: level + 1, marker };
}

/** Paragraphs of a shape as blocks; a title is one, whatever lines it has. */
export function textBlocks(
  paragraphs: readonly ShapeParagraph[],
  box: Box,
  placeholder: Placeholder | undefined,
): TextBlock[] {
  const laid = layText(paragraphs, box);
  const blocks = paragraphs.flatMap((paragraph, index) => {
    const lines = laid[index] ?? [];
    return lines.length === 0 ? [] : [toBlock(paragraph, lines, placeholder)];
  });
  const [first] = blocks;
  if (first?.kind !== "heading" || blocks.length === 1) return blocks;
  return [{ ...first, box: unionBox(blocks.map((block) => block.box)), lines: blocks.flatMap((block) => block.lines) }];
}

/** A picture or a chart, with the text that stands for it. */
export function figureBlock(box: Box, texts: readonly string[]): Block {
  const paragraphs = texts
    .filter((text) => /\S/.test(text))
    .map((text) => ({ runs: [{ text }], level: 0, size: FIGURE_TEXT_SIZE, bold: false }));
  const lines = paragraphs.length === 0 ? [] : layText(paragraphs, box).flat();
  return { kind: "figure", box: roundBox(box), lines };
}

const FIGURE_TEXT_SIZE = 10;

/** Inches to a ten-thousandth. */
export const roundBox = ({ left, top, right, bottom }: Box): Box => ({
  left: round(left),
  top: round(top),
  right: round(right),
  bottom: round(bottom),
});
