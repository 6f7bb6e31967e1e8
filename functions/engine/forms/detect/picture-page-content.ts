/** A page that is a picture, as the search for places to write sees it: recognised words, and rules found in pixels. */
import type { Box, Page } from "../../../ports/layout.ts";
import { mapBox, scaling } from "../../imaging/affine.ts";
import type { GrayImage } from "../../imaging/gray-image.ts";
import { type PreparedPicture, preparePicture } from "../../imaging/prepare-picture.ts";
import { mapTicks } from "../../imaging/tick-marks.ts";
import { findTintEdges, findTints, shadeOf } from "../../imaging/tints.ts";
import { area, containsMiddle, intersects, middleX, middleY, overlapArea } from "../../layout/geometry.ts";
import { blockLines } from "../../layout/page-words.ts";
import { boxInPoints, POINTS_PER_INCH } from "../../readers/pdf/points-to-inches.ts";
import { rotateBox } from "../../readers/pdf/text-directions.ts";
import type { Fill, Rule } from "../../structure/tables/table-parts.ts";
import { type FormPageContent, type FormWord, pageEm } from "./form-page.ts";
import { joinMarks } from "./mark-rows.ts";
import { isTickSquare } from "./ruled-squares.ts";
import { whiteBoxes } from "./white-boxes.ts";

/** Rules of a form in inches: the sides of a box for one line of type are shorter than the rules of tables. */
const SHORTEST_RULE_INCHES = 0.16;
/** Size of type relative to the height of a recognised word, whose box is that of its ink. */
const SIZE_PER_HEIGHT = 1.1;
/** Height of a word's box over that of its ink: content of a text layer has the room for ascent and descent. */
const BOX_MARGIN_SHARE = 0.12;
/** Marks that recognition makes of rules, leaders and frames. */
const NO_WORD = /^[_.·‧…\-–—=|[\]()□☐▢]+$/u;
/** A dash between two parts of a number, where no rule is drawn. */
const DASH = /^[-–—]$/u;
/** Share of a short word in a frame that makes it the frame, misread, and its letters at most. */
const IN_FRAME_SHARE = 0.5;
const MAX_MISREAD_LETTERS = 2;
/**
 * Side of a character's box relative to the ink of a box with a shadow, which only characters have: 0.8 em as in a text
 * layer, over the 0.67 em of such signs in the usual pictorial fonts.
 */
const MARK_PER_INK = 1.2;
/** Distance of dots of one leader, relative to the usual type. */
const MAX_DOT_GAP_POINTS = 14;
const MIN_LEADER_DOTS = 4;
/** Gap of the dashes of one rule, and their length relative to their thickness: the dots of leaders are periods. */
const MAX_DASH_GAP_POINTS = 1.5;
const MIN_DASH_RATIO = 1.6;

/** Sides of a word's upright box relative to its type from which it stands askew: level type has one side of 1.4 at most. */
const MIN_SLANT_SIZE = 1.5;

/** True for a word across the page, as of a watermark: it labels nothing, takes no room, and covers half of a form. */
const isSlanted = ({ left, top, right, bottom }: Box, size: number): boolean =>
  Math.min(right - left, bottom - top) > MIN_SLANT_SIZE * size;

const isFrame = (text: string, box: Box, frames: readonly Box[]): boolean =>
  text.length <= MAX_MISREAD_LETTERS &&
  frames.some((frame) => overlapArea(frame, box) >= IN_FRAME_SHARE * Math.min(area(box), area(frame)));

/** Marks that are drawn on a picture, some of which recognition takes for letters. */
interface DrawnMarks {
  /** Frames of checkboxes. */
  frames: readonly Box[];
  /** Absent: not known, so that any dash may be one of them. */
  rules?: readonly Box[];
}

/** The words of a recognised page. */
export function wordsOf({ blocks }: Page, { frames, rules }: DrawnMarks, turn: (box: Box) => Box): FormWord[] {
  const lines = blocks.filter(({ kind }) => kind !== "barcode").flatMap((block) => [...blockLines(block)]);
  return lines.flatMap(({ words }, line) =>
    words.flatMap(({ text, box: inches, fontSize, bold }): FormWord[] => {
      const box = turn(boxInPoints(inches));
      const isDash = DASH.test(text) && rules?.every((rule) => !intersects(rule, box)) === true;
      if (fontSize !== undefined && isSlanted(box, fontSize)) return [];
      if ((NO_WORD.test(text) && !isDash) || isFrame(text, box, frames)) return [];
      // Only a recognised word has no size of type; the box of another has the room already.
      const margin = fontSize === undefined ? BOX_MARGIN_SHARE * (box.bottom - box.top) : 0;
      const size = fontSize ?? SIZE_PER_HEIGHT * (box.bottom - box.top);
      const padded = { ...box, top: box.top - margin, bottom: box.bottom + margin };
      return [{ text, box: padded, size, line, ...(bold === true ? { bold } : {}) }];
    }),
  );
}

/** Rules from their bounding boxes. */
export function rulesOf(boxes: readonly Box[]): { horizontal: Rule[]; vertical: Rule[] } {
  const rules: { horizontal: Rule[]; vertical: Rule[] } = { horizontal: [], vertical: [] };
  for (const { left, top, right, bottom } of boxes) {
    if (right - left >= bottom - top)
      rules.horizontal.push({ at: (top + bottom) / 2, from: left, to: right, thickness: bottom - top });
    else rules.vertical.push({ at: (left + right) / 2, from: top, to: bottom });
  }
  return rules;
}

/** Rows of dots and dashes: leaders, dashed rules, and columns of dots, the dotted sides of cells. */
function dottedLines(dots: readonly Box[]): Record<"leaders" | "horizontal" | "vertical", Rule[]> {
  const linesOf = (marks: readonly Rule[], gap: number): Rule[] =>
    joinMarks(marks, () => gap)
      .filter(({ count }) => count >= MIN_LEADER_DOTS)
      .map(({ at, from, to }) => ({ at, from, to }));
  const toMark = ({ left, right, bottom }: Box): Rule => ({ at: bottom, from: left, to: right });
  const vertical = linesOf(
    dots.map(({ left, right, top, bottom }) => ({ at: (left + right) / 2, from: top, to: bottom })),
    MAX_DASH_GAP_POINTS,
  );
  const isInColumn = ({ left, top, right, bottom }: Box): boolean =>
    vertical.some(({ at, from, to }) => left <= at && right >= at && top >= from && bottom <= to);
  const isDash = ({ left, top, right, bottom }: Box): boolean => right - left >= MIN_DASH_RATIO * (bottom - top);
  const rows = dots.filter((dot) => !isInColumn(dot));
  const horizontal = linesOf(rows.filter(isDash).map(toMark), MAX_DASH_GAP_POINTS);
  const isInRule = ({ left, right, bottom }: Box): boolean =>
    horizontal.some(({ at, from, to }) => Math.abs(at - bottom) <= MAX_DASH_GAP_POINTS && left >= from && right <= to);
  const leaders = linesOf(rows.filter((dot) => !isInRule(dot)).map(toMark), MAX_DOT_GAP_POINTS);
  return { leaders, horizontal, vertical };
}

/** The box of a character that shows a box with a shadow. */
function markBox(ink: Box): Box {
  const half = (MARK_PER_INK * Math.max(ink.right - ink.left, ink.bottom - ink.top)) / 2;
  const [x, y] = [middleX(ink), middleY(ink)];
  return { left: x - half, right: x + half, top: y - half, bottom: y + half };
}

/** Tinted areas of a picture of a page, and the edges between tint and other paper. @param toFrame from inches */
function tintsOf(gray: GrayImage, page: Page, toFrame: (box: Box) => Box): { fills: Fill[]; edges: Box[] } {
  const [across, down] = [page.width / gray.width, page.height / gray.height];
  const place = (box: Box): Box => toFrame(mapBox(box, scaling(across, down)));
  return {
    fills: findTints(gray, 1 / across).map((tint) => ({ box: place(tint.box), shade: shadeOf(tint) })),
    edges: findTintEdges(gray, Math.round(SHORTEST_RULE_INCHES / across)).map(place),
  };
}

/** True for a level rule in a dark bar: the edge of the light type there, which was inverted with the bar. */
const isInBar = (rule: Box, bars: readonly Box[]): boolean =>
  rule.right - rule.left > rule.bottom - rule.top &&
  bars.some(
    (bar) => intersects(bar, rule) && containsMiddle(bar, rule) && rule.top > bar.top && rule.bottom < bar.bottom,
  );

const quarterOf = ({ angle }: PreparedPicture): number => (((Math.round(angle / 90) * 90) % 360) + 360) % 360;

/**
 * The content of a page that is a picture.
 * @param gray the page as shown
 * @param page its recognised words, in inches
 * @param widgets fields that the page already has, points as shown
 */
export function picturePageContent(gray: GrayImage, page: Page, widgets: readonly Box[] = []): FormPageContent {
  const prepared = preparePicture(
    gray,
    { width: page.width, height: page.height },
    { shortestRule: SHORTEST_RULE_INCHES, faintRules: true, tickMarks: true },
  );
  const angle = quarterOf(prepared);
  const turn = (box: Box): Box => rotateBox(box, -angle);
  const toPoints = (box: Box): Box => turn(boxInPoints(box));
  const { squares, circles, shadowed } = mapTicks(prepared.ticks, toPoints);
  const bars = prepared.drawn.bars.map(toPoints);
  const rules = prepared.drawn.rules.map(toPoints).filter((rule) => !isInBar(rule, bars));
  const words = wordsOf(page, { frames: [...squares, ...circles, ...shadowed], rules }, turn);
  const tints = tintsOf(gray, page, toPoints);
  const em = pageEm({ words });
  // Of tick size, tints are known too coarsely to be places.
  const fills = tints.fills.filter(({ box }) => !isTickSquare(box, em));
  const { leaders, ...dotted } = dottedLines(prepared.dots.map(toPoints));
  const { horizontal, vertical } = rulesOf(rules);
  const drawn = {
    horizontal: [...horizontal, ...dotted.horizontal],
    vertical: [...vertical, ...dotted.vertical],
  };
  return {
    pageNumber: page.number,
    width: page.width * POINTS_PER_INCH,
    height: page.height * POINTS_PER_INCH,
    angle,
    frame: turn({ left: 0, top: 0, right: page.width * POINTS_PER_INCH, bottom: page.height * POINTS_PER_INCH }),
    words,
    ...drawn,
    fills: [...fills, ...bars.map((box) => ({ box, shade: 0 }))],
    blanks: whiteBoxes({ ...drawn, fills }, rulesOf(tints.edges), words),
    frames: [],
    rounds: circles.filter((circle) => !words.some(({ box }) => containsMiddle(box, circle))),
    squares,
    marks: shadowed.map((box) => ({ box: markBox(box), round: false })),
    underscores: [],
    leaders,
    widgets: widgets.map(turn),
    isPicture: true,
  };
}
