/** Presentations: one page a slide, of the slide's size, with text at the place of its shapes. */
import { type Block, type Box, LAYOUT_VERSION, type Layout, type Page } from "../../../../ports/layout.ts";
import { limitFailure, MAX_WORDS } from "../../../layout/logical/layout-limits.ts";
import { roundInches } from "../../../layout/logical/logical-rows.ts";
import { pageWords } from "../../../layout/page-words.ts";
import { emuToInches } from "../drawings.ts";
import { corrupted, type OfficePackage } from "../office-package.ts";
import { findMainPart, readRelationships } from "../relationships.ts";
import { childOf, elementsOf, newBudget, parseXml } from "../xml-parts.ts";
import { PlaceholderTemplates } from "./placeholders.ts";
import { type Presentation, readSlide, type Slide } from "./slide.ts";
import { textBlocks } from "./slide-shapes.ts";
import type { ShapeParagraph } from "./text-frame.ts";

/** Default slide size: 4 to 3, PowerPoint's former default. */
const DEFAULT_WIDTH_INCHES = 10;
const DEFAULT_HEIGHT_INCHES = 7.5;
const MIN_SIDE_INCHES = 1;
const NOTE_SIZE_POINTS = 12;
const NOTE_MARGIN_INCHES = 0.5;
/** The row height of text-frame.ts. */
const NOTE_ROW_INCHES = (NOTE_SIZE_POINTS * 1.2) / 72;
const LETTERS_PER_NOTE_ROW = 80;

const HIDDEN_SLIDE_NOTE: ShapeParagraph = {
  runs: [{ text: "Hidden slide." }],
  level: 0,
  size: NOTE_SIZE_POINTS,
  bold: false,
};

/** Speaker's notes, in an area below the slide that makes the page longer. */
function noteBlocks(
  paragraphs: readonly ShapeParagraph[],
  { width, height }: Presentation,
): { blocks: Block[]; bottom: number } {
  if (paragraphs.length === 0) return { blocks: [], bottom: height };
  const notes = paragraphs.map((paragraph) => ({ ...paragraph, size: NOTE_SIZE_POINTS }));
  const rows = notes.reduce((sum, { runs }) => {
    const letters = runs.reduce((count, { text }) => count + text.length, 0);
    return sum + Math.ceil(letters / LETTERS_PER_NOTE_ROW) + runs.filter(({ text }) => text === "\n").length;
  }, 1);
  const area: Box = {
    left: NOTE_MARGIN_INCHES,
    top: height,
    right: width - NOTE_MARGIN_INCHES,
    bottom: height + rows * NOTE_ROW_INCHES + 0.2,
  };
  const blocks = textBlocks(notes, area, undefined).map(({ box, lines }) => ({ kind: "note" as const, box, lines }));
  return { blocks, bottom: area.bottom };
}

function toPage({ hidden, blocks, notes }: Slide, number: number, presentation: Presentation): Page {
  const below = noteBlocks([...(hidden ? [HIDDEN_SLIDE_NOTE] : []), ...notes], presentation);
  return {
    number,
    width: roundInches(presentation.width),
    height: roundInches(below.bottom),
    unit: "inch",
    rotation: 0,
    blocks: [...blocks, ...below.blocks],
  };
}

/**
 * Reads a presentation slide by slide. Boxes of blocks are those of the shapes; within a shape the type size places
 * words. A slide without its part is an empty page; speaker's notes and a hidden slide's mark stand below the slide.
 * @param pageRange slide numbers, from 1; absent: all
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
    placeholders: new PlaceholderTemplates(office, budget),
    width: Math.max(emuToInches(size?.cx) ?? DEFAULT_WIDTH_INCHES, MIN_SIDE_INCHES),
    height: Math.max(emuToInches(size?.cy) ?? DEFAULT_HEIGHT_INCHES, MIN_SIDE_INCHES),
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
    if (words > MAX_WORDS) throw limitFailure("words");
    pages.push(page);
  }
  return { v: LAYOUT_VERSION, provider: "pptx", logicalPages: true, pageCount: slides.length, pages };
}
