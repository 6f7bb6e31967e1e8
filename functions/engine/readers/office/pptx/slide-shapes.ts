/** The text of a slide's shapes as blocks at the place of the shapes. */
import type { Block, Box, TextBlock, TextBlockKind } from "../../../../ports/layout.ts";
import { unionBox } from "../../../layout/geometry.ts";
import { hasText, roundInches } from "../../../layout/logical/logical-rows.ts";
import { formatCount } from "../number-formats.ts";
import type { Relationships } from "../relationships.ts";
import { readShapeRuns } from "../shape-text.ts";
import { childOf, elementsOf, integerOf, type XmlElement } from "../xml-parts.ts";
import { type Bullet, type LevelStyle, type Placeholder, readLevelStyle, readLevelStyles } from "./placeholders.ts";
import { DEFAULT_SIZE_POINTS, layOutParagraphs, type ShapeParagraph } from "./text-frame.ts";

const MAX_LEVEL = 8;

/** Styles that the paragraphs of a shape inherit, the nearest first. */
type InheritedStyles = readonly ReadonlyMap<number, LevelStyle>[];

/** Block kinds by placeholder type; other placeholders hold paragraphs. */
const BLOCK_KIND_BY_PLACEHOLDER: Readonly<Record<string, { kind: TextBlockKind; level?: number }>> = {
  title: { kind: "heading", level: 1 },
  ctrTitle: { kind: "heading", level: 1 },
  subTitle: { kind: "heading", level: 2 },
  hdr: { kind: "header" },
  ftr: { kind: "footer" },
  dt: { kind: "footer" },
  sldNum: { kind: "footer" },
};

/** A list number in a scheme of DrawingML: `alphaLcParenR` is `a)`. */
function listNumber(scheme: string, value: number): string {
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

/** Counts the list paragraphs of one shape. */
class ListCounter {
  readonly #counts: { scheme: string; value: number }[] = [];

  nextMarker(bullet: Bullet | undefined, level: number): string | undefined {
    this.#counts.length = Math.min(this.#counts.length, level + 1);
    if (bullet?.kind !== "count") {
      delete this.#counts[level];
      return bullet?.kind === "sign" && bullet.text !== "" ? bullet.text : undefined;
    }
    const before = this.#counts[level];
    const value = before?.scheme === bullet.scheme ? before.value + 1 : bullet.start;
    this.#counts[level] = { scheme: bullet.scheme, value };
    return listNumber(bullet.scheme, value);
  }
}

/** The paragraphs of an `a:txBody` that have text. */
export function readParagraphs(
  body: XmlElement,
  relationships: Relationships,
  inherited: InheritedStyles,
): ShapeParagraph[] {
  const chain = [readLevelStyles(childOf(body, "lstStyle")), ...inherited];
  const counter = new ListCounter();
  return [...elementsOf(body)].flatMap((element) => {
    const runs = element.name === "p" ? readShapeRuns(element, relationships) : [];
    if (!hasText(runs)) return [];
    const properties = childOf(element, "pPr");
    const level = integerOf(properties?.attributes.lvl, 0, MAX_LEVEL) ?? 0;
    const styles = [readLevelStyle(properties), ...chain.map((levels) => levels.get(level) ?? {})];
    const bullet = styles.find((one) => one.bullet !== undefined)?.bullet;
    const marker = counter.nextMarker(bullet, level);
    const sizes = runs.flatMap(({ size }) => (size === undefined ? [] : [size]));
    const size = sizes.length > 0 ? Math.max(...sizes) : styles.find((one) => one.size !== undefined)?.size;
    const bold = styles.find((one) => one.bold !== undefined)?.bold ?? false;
    return [{ runs, level, size: size ?? DEFAULT_SIZE_POINTS, bold, ...(marker === undefined ? {} : { marker }) }];
  });
}

function toBlock(
  paragraph: ShapeParagraph,
  lines: TextBlock["lines"],
  placeholder: Placeholder | undefined,
): TextBlock {
  const box = unionBox(lines.map((line) => line.box));
  const known = BLOCK_KIND_BY_PLACEHOLDER[placeholder?.type ?? ""];
  const { marker, level } = paragraph;
  if (known !== undefined) return { ...known, box, lines };
  if (marker === undefined) return { kind: "paragraph", box, lines };
  return { kind: "list-item", box, lines, level: level + 1, marker };
}

/** Paragraphs of a shape as blocks; a title is one block, however many lines it has. */
export function textBlocks(
  paragraphs: readonly ShapeParagraph[],
  box: Box,
  placeholder: Placeholder | undefined,
): TextBlock[] {
  const paragraphLines = layOutParagraphs(paragraphs, box);
  const blocks = paragraphs.flatMap((paragraph, index) => {
    const lines = paragraphLines[index] ?? [];
    return lines.length === 0 ? [] : [toBlock(paragraph, lines, placeholder)];
  });
  const [first] = blocks;
  if (first?.kind !== "heading" || blocks.length === 1) return blocks;
  return [{ ...first, box: unionBox(blocks.map((block) => block.box)), lines: blocks.flatMap((block) => block.lines) }];
}

/** A picture or a chart with its alternative text. */
export function figureBlock(box: Box, texts: readonly string[]): Block {
  const paragraphs = texts
    .filter((text) => /\S/.test(text))
    .map((text) => ({ runs: [{ text }], level: 0, size: FIGURE_TEXT_POINTS, bold: false }));
  const lines = paragraphs.length === 0 ? [] : layOutParagraphs(paragraphs, box).flat();
  return { kind: "figure", box: roundBox(box), lines };
}

const FIGURE_TEXT_POINTS = 10;

/** Rounds a box to a ten-thousandth of an inch. */
export const roundBox = ({ left, top, right, bottom }: Box): Box => ({
  left: roundInches(left),
  top: roundInches(top),
  right: roundInches(right),
  bottom: roundInches(bottom),
});
