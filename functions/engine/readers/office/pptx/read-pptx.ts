/** Presentations: a page for each slide, as large as the slide, its text where the shapes stand. */
import { type Block, type Box, LAYOUT_VERSION, type Layout, type Page } from "../../../../ports/layout.ts";
import { MOST_WORDS, tooMuch } from "../../../layout/logical/layout-limits.ts";
import { round } from "../../../layout/logical/logical-rows.ts";
import { pageWords } from "../../../layout/page-words.ts";
import { emuToInches } from "../drawings.ts";
import { corrupted, type OfficePackage } from "../office-package.ts";
import { findMainPart, readRelationships } from "../relationships.ts";
import { childOf, elementsOf, newBudget, parseXml } from "../xml-parts.ts";
import { Placeholders } from "./placeholders.ts";
import { type Presentation, readSlide, type Slide } from "./slide.ts";
import { textBlocks } from "./slide-shapes.ts";
import type { ShapeParagraph } from "./text-frame.ts";

/** Of a slide whose size is not stated: 4 to 3, as PowerPoint had it for long. */
const USUAL_WIDTH = 10;
const USUAL_HEIGHT = 7.5;
const LEAST_SIDE = 1;
const NOTE_SIZE = 12;
const NOTE_MARGIN = 0.5;
/** As text-frame.ts lays rows. */
const NOTE_ROW = (NOTE_SIZE * 1.2) / 72;
const NOTE_ROW_LETTERS = 80;

const HIDDEN: ShapeParagraph = { runs: [{ text: "Hidden slide." }], level: 0, size: NOTE_SIZE, bold: false };

/** Notes stand below the slide, on a strip that makes the page longer. */
function noteBlocks(
  paragraphs: readonly ShapeParagraph[],
  { width, height }: Presentation,
): { blocks: Block[]; bottom: number } {
  if (paragraphs.length === 0) return { blocks: [], bottom: height };
  const notes = paragraphs.map((paragraph) => ({ ...paragraph, size: NOTE_SIZE }));
  const rows = notes.reduce((sum, { runs }) => {
    const letters = runs.reduce((count, { text }) => count + text.length, 0);
    return sum + Math.ceil(letters / NOTE_ROW_LETTERS) + runs.filter(({ text }) => text === "\n").length;
  }, 1);
  const strip: Box = {
    left: NOTE_MARGIN,
    top: height,
    right: width - NOTE_MARGIN,
    bottom: height + rows * NOTE_ROW + 0.2,
  };
  const blocks = textBlocks(notes, strip, undefined).map(({ box, lines }) => ({ kind: "note" as const, box, lines }));
  return { blocks, bottom: strip.bottom };
}

function toPage({ hidden, blocks, notes }: Slide, number: number, presentation: Presentation): Page {
  const below = noteBlocks([...(hidden ? [HIDDEN] : []), ...notes], presentation);
  return {
    number,
    width: round(presentation.width),
    height: round(below.bottom),
    unit: "inch",
    rotation: 0,
    blocks: [...blocks, ...below.blocks],
  };
}

/**
 * A presentation slide by slide. Boxes are the shapes' own; within a shape words are placed by the size of its type. A
 * slide without its part is an empty page; speaker's notes and whether it is hidden stand below the slide.
 * @param pageRange 1-based slides; absent: all
 * @throws JobFailure: corrupted; more of something than can be processed
 */
export function readPowerPoint(office: OfficePackage, pageRange?: readonly number[]): Layout {
  const budget = newBudget();
  const name = findMainPart(office, "ppt/presentation.xml", budget);
  const part = office.read(name);
  if (part === undefined) throw corrupted();
  const root = parseXml(part, budget);
  const relationships = readRelationships(office, name, budget);
  const size = childOf(root, "sldSz")?.attributes;
  const presentation: Presentation = {
    office,
    budget,
    placeholders: new Placeholders(office, budget),
    width: Math.max(emuToInches(size?.cx) ?? USUAL_WIDTH, LEAST_SIDE),
    height: Math.max(emuToInches(size?.cy) ?? USUAL_HEIGHT, LEAST_SIDE),
  };
  const list = childOf(root, "sldIdLst");
  const slides = list === undefined ? [] : [...elementsOf(list)].map(({ attributes }) => attributes["r:id"] ?? "");
  const wanted = pageRange === undefined ? undefined : new Set(pageRange);
  const pages: Page[] = [];
  let words = 0;
  for (const [index, id] of slides.entries()) {
    if (wanted !== undefined && !wanted.has(index + 1)) continue;
    const target = relationships.get(id);
    const slide = target === undefined || target.external ? undefined : readSlide(presentation, target.target);
    const page = toPage(slide ?? { hidden: false, blocks: [], notes: [] }, index + 1, presentation);
    words += pageWords(page).length;
    if (words > MOST_WORDS) throw tooMuch("words");
    pages.push(page);
  }
  return { v: LAYOUT_VERSION, provider: "pptx", logicalPages: true, pageCount: slides.length, pages };
}
