/** A page of a PDF as the search for places to write sees it: its text layer and its drawing. */
import type { Box } from "../../../ports/layout.ts";
import { formLines } from "../../readers/pdf/form-lines.ts";
import { formWords } from "../../readers/pdf/form-words.ts";
import type { Glyph } from "../../readers/pdf/glyph.ts";
import { pageDrawing, rotateDrawing } from "../../readers/pdf/page-drawing.ts";
import { pageGlyphs } from "../../readers/pdf/page-glyphs.ts";
import type { PdfPage } from "../../readers/pdf/pdf-page.ts";
import { rotateBox, splitByDirection, type TextDirection } from "../../readers/pdf/text-directions.ts";
import type { Rule } from "../../structure/tables/table-parts.ts";
import type { FormPageContent, FormWord, MarkGlyph } from "./form-page.ts";
import { joinMarks, type MarkRow } from "./mark-rows.ts";
import { type OverlaidObjects, overlaidObjects } from "./overlaid-objects.ts";

const UNDERSCORE = "_";
/** Depth of an underscore below the baseline in ems, as most fonts have it. */
const UNDERSCORE_DEPTH_EM = 0.12;
/** Gap between underscores of one row in ems; a space between two words is narrower. */
const MAX_UNDERSCORE_GAP_EM = 0.2;
/** Dots of a leader at least: three are an ellipsis. */
const MIN_LEADER_DOTS = 4;
/** Distance between the dots of a leader in ems. */
const MAX_DOT_GAP_EM = 1.6;
const DOTS = /^[.·‧…]+$/u;

function underscoreRules(glyphs: readonly Glyph[]): MarkRow[] {
  const sizes = new Map<Rule, number>();
  const marks = glyphs.map(({ left, right, y, style: { size } }) => {
    const mark = { at: y + UNDERSCORE_DEPTH_EM * size, from: left, to: right };
    sizes.set(mark, size);
    return mark;
  });
  return joinMarks(marks, (mark) => MAX_UNDERSCORE_GAP_EM * (sizes.get(mark) ?? 0));
}

/** Characters that show an empty checkbox, and an empty radio button: of Unicode, and of the usual pictorial fonts. */
const BOX_GLYPH = /^[\u25a1\u25a2\u25fb\u25fd\u2610\u274f-\u2752\u2b1c\uf06f\uf070\uf071\uf072\uf0a8\uf0fe]$/u;
const ROUND_GLYPH = /^[\u25cb\u25ef\u26aa\u2b58\u274d\uf06d\uf0a1]$/u;
/** The box of Wingdings where its font is said to be of Latin letters; elsewhere this sign stands over a letter. */
const DIAERESIS = "\u00a8";

/** True for a diaeresis over no letter. */
const isLoneDiaeresis = (glyph: Glyph, all: readonly Glyph[]): boolean =>
  glyph.text === DIAERESIS &&
  !all.some(
    (other) =>
      /\p{L}/u.test(other.text) &&
      Math.abs(other.y - glyph.y) < glyph.style.size &&
      other.left < (glyph.left + glyph.right) / 2 &&
      other.right > (glyph.left + glyph.right) / 2,
  );

/** Side of such a mark, and the height of its middle over the baseline, in ems. */
const MARK_SIDE_EM = 0.8;
const MARK_MIDDLE_EM = 0.35;

/** The square of a mark's shape: a glyph's box has the height of the type. */
function markBox({ left, right, y, style: { size } }: Glyph): Box {
  const [middle, half] = [y - MARK_MIDDLE_EM * size, (MARK_SIDE_EM * size) / 2];
  const x = (left + right) / 2;
  return { left: x - half, right: x + half, top: middle - half, bottom: middle + half };
}

/** Degrees off a quarter turn up to which text is that of a page fed in askew; text at a greater slant is a watermark. */
const MAX_TILT_DEGREES = 10;

/** True for text across the page: it labels nothing, takes no room, and its upright box covers half of a form. */
function isWatermark({ angle }: TextDirection): boolean {
  const tilt = Math.abs(angle) % 90;
  return Math.min(tilt, 90 - tilt) > MAX_TILT_DEGREES;
}

interface FrameWords {
  words: FormWord[];
  dots: (Rule & { size: number })[];
}

function frameWords(
  { angle, glyphs }: TextDirection,
  main: number,
  firstLine: number,
  overlaid: OverlaidObjects,
): FrameWords {
  const found: FrameWords = { words: [], dots: [] };
  const lines = formLines(formWords(glyphs));
  for (const [index, line] of lines.entries()) {
    for (const { text, box, size, baseline, bold, first } of line.words) {
      const placed = rotateBox(box, angle - main);
      const over = overlaid.get(glyphs[first]?.object ?? 0);
      if (angle === main && DOTS.test(text))
        found.dots.push({ at: baseline, from: placed.left, to: placed.right, size });
      else
        found.words.push({
          text,
          box: placed,
          size,
          line: firstLine + index,
          ...(bold ? { bold } : {}),
          ...(over === undefined ? {} : { overlaid: over }),
        });
    }
  }
  return found;
}

/** Dots that make a leader become rules, the others words again. */
function splitDots(dots: FrameWords["dots"]): { leaders: Rule[] } {
  const bySize = new Map<Rule, number>(dots.map((dot) => [dot, dot.size]));
  const rows = joinMarks(dots, (mark) => MAX_DOT_GAP_EM * (bySize.get(mark) ?? 0));
  const dotWidthEm = 0.3;
  const isLeader = ({ from, to, count, at }: MarkRow): boolean => {
    const size = dots.find((dot) => dot.at === at)?.size ?? 0;
    return count >= MIN_LEADER_DOTS || to - from >= MIN_LEADER_DOTS * dotWidthEm * size;
  };
  return { leaders: rows.filter(isLeader).map(({ at, from, to }) => ({ at, from, to })) };
}

/** The content of a page. @param number from 1 @param widgets fields that the page already has, points as shown */
export function formPageContent(page: PdfPage, number: number, widgets: readonly Box[] = []): FormPageContent {
  const glyphs = pageGlyphs(page);
  const frames = splitByDirection(glyphs).filter((frame) => !isWatermark(frame));
  const main = frames.reduce<TextDirection | undefined>(
    (most, frame) => (most === undefined || frame.glyphs.length > most.glyphs.length ? frame : most),
    undefined,
  );
  const angle = main !== undefined && main.angle % 90 === 0 ? main.angle : 0;
  const words: FormWord[] = [];
  const dots: FrameWords["dots"] = [];
  const underscores: Rule[] = [];
  const marks: MarkGlyph[] = [];
  for (const frame of frames) {
    const isMark = (glyph: Glyph): boolean =>
      BOX_GLYPH.test(glyph.text) || ROUND_GLYPH.test(glyph.text) || isLoneDiaeresis(glyph, frame.glyphs);
    const letters = frame.glyphs.filter((glyph) => glyph.text !== UNDERSCORE && !isMark(glyph));
    for (const glyph of frame.glyphs.filter(isMark))
      marks.push({ box: rotateBox(markBox(glyph), frame.angle - angle), round: ROUND_GLYPH.test(glyph.text) });
    if (frame.angle === angle)
      underscores.push(...underscoreRules(frame.glyphs.filter(({ text }) => text === UNDERSCORE)));
    const found = frameWords({ angle: frame.angle, glyphs: letters }, angle, words.length, overlaidObjects(page));
    words.push(...found.words);
    dots.push(...found.dots);
  }
  const drawing = pageDrawing(page);
  const turn = (box: Box): Box => rotateBox(box, -angle);
  const { horizontal, vertical, fills } = rotateDrawing(drawing, angle);
  return {
    pageNumber: number,
    width: page.width,
    height: page.height,
    angle,
    frame: turn({ left: 0, top: 0, right: page.width, bottom: page.height }),
    words,
    horizontal,
    vertical,
    fills,
    blanks: drawing.blanks.map(turn),
    frames: drawing.frames.map(turn),
    rounds: drawing.rounds.map(turn),
    squares: [],
    marks,
    underscores,
    ...splitDots(dots),
    widgets: widgets.map(turn),
    isPicture: false,
  };
}
