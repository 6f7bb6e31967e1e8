/** Draws marks as SVG to lay over the picture of their page. */

import { intersects } from "../../layout/geometry.ts";
import { textPath, textSize } from "./grid-letters.ts";
import type { PixelArea } from "./ink-meter.ts";
import type { Point, ValueMark } from "./value-marks.ts";

/** Facts about the page under a label. */
export interface Canvas {
  /** Pixels. */
  width: number;
  height: number;
  pixelsPerInch: number;
  /** Share of an area that carries ink. */
  inkIn(area: PixelArea): number;
}

/** From sure to doubtful; the doubtful ones are dashed too, for readers who cannot tell the colours. */
const CONFIDENCE_STYLES = [
  { least: 0.9, colour: "#1a7f37", dashed: false },
  { least: 0.7, colour: "#b35900", dashed: false },
  { least: 0, colour: "#cf222e", dashed: true },
];
/** Inches between an outline and the words in it: half the gap between lines of text set solid. */
const OUTLINE_MARGIN_INCHES = 0.012;
const STROKE_INCHES = 0.01;
/** Size of a letter's dot: capitals of seven dots are as high as in print of 6 points. */
const DOT_INCHES = 0.0086;
/** Share of a label's place that may be inked: a speck of a scan, but no rule across it. */
const MAX_INKED_SHARE = 0.002;
/** Labels on a page; more, and those without room, are left out. */
const MAX_LABELS = 400;

const confidenceStyle = (confidence: number) =>
  CONFIDENCE_STYLES.find(({ least }) => confidence >= least) ?? CONFIDENCE_STYLES[2];
const round = (value: number): number => Math.round(value * 10) / 10;

function areaAround(outline: readonly Point[], scale: number, margin: number): PixelArea {
  const area = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y } of outline) {
    area.left = Math.min(area.left, x * scale - margin);
    area.top = Math.min(area.top, y * scale - margin);
    area.right = Math.max(area.right, x * scale + margin);
    area.bottom = Math.max(area.bottom, y * scale + margin);
  }
  return area;
}

/** True if all corners are those of a box with level edges; only such a box can have a margin by its edges. */
const isLevel = (outline: readonly Point[], box: PixelArea, scale: number, margin: number): boolean =>
  outline.every(
    ({ x, y }) =>
      (Math.abs(x * scale - margin - box.left) < 0.5 || Math.abs(x * scale + margin - box.right) < 0.5) &&
      (Math.abs(y * scale - margin - box.top) < 0.5 || Math.abs(y * scale + margin - box.bottom) < 0.5),
  );

function outlinePath(outline: readonly Point[], { pixelsPerInch: scale }: Canvas): string {
  const margin = OUTLINE_MARGIN_INCHES * scale;
  const box = areaAround(outline, scale, margin);
  if (isLevel(outline, box, scale, margin)) {
    const { left, top, right, bottom } = box;
    return `M${round(left)} ${round(top)}H${round(right)}V${round(bottom)}H${round(left)}z`;
  }
  return `M${outline.map(({ x, y }) => `${round(x * scale)} ${round(y * scale)}`).join("L")}z`;
}

/** Possible label texts of a mark, the fullest first: whole pointers, else their last parts. */
function captionsOf(pointers: readonly string[]): string[] {
  const [first = ""] = pointers;
  const parts = first.split("/");
  const more = pointers.length > 1 ? ` +${pointers.length - 1}` : "";
  const whole = pointers.length <= 3 ? [pointers.join(" ")] : [];
  const ends = [2, 1]
    .filter((count) => parts.length > count + 1)
    .map((count) => `…/${parts.slice(-count).join("/")}${more}`);
  return [...whole, first + more, ...ends].filter((text) => text.length <= 60);
}

/** Places for a label of that size: above, below, to the right and to the left of its box. */
function placesFor(box: PixelArea, width: number, height: number): PixelArea[] {
  const at = (left: number, top: number): PixelArea => ({ left, top, right: left + width, bottom: top + height });
  const middle = (box.top + box.bottom - height) / 2;
  return [
    at(box.left, box.top - height),
    at(box.right, middle),
    at(box.right - width, box.top - height),
    at(box.left, box.bottom),
    at(box.right - width, box.bottom),
    at(box.left - width, middle),
  ];
}

/** Places labels where there is room: on the page, over no ink, no other label and no mark. */
class LabelPlacer {
  readonly #canvas: Canvas;
  readonly #taken: PixelArea[];
  #written = 0;

  constructor(canvas: Canvas, boxes: readonly PixelArea[]) {
    this.#canvas = canvas;
    this.#taken = [...boxes];
  }

  #isFree(area: PixelArea): boolean {
    const { width, height, inkIn } = this.#canvas;
    const inside = area.left >= 0 && area.top >= 0 && area.right <= width && area.bottom <= height;
    return inside && inkIn(area) <= MAX_INKED_SHARE && !this.#taken.some((other) => intersects(area, other));
  }

  /** Places a label. @returns its path; undefined where there is no room */
  place(pointers: readonly string[], box: PixelArea): string | undefined {
    if (this.#written >= MAX_LABELS) return undefined;
    const dot = Math.max(DOT_INCHES * this.#canvas.pixelsPerInch, 1);
    for (const caption of captionsOf(pointers)) {
      const { width, height } = textSize(caption);
      const place = placesFor(box, (width + 4) * dot, (height + 1) * dot).find((one) => this.#isFree(one));
      if (place === undefined) continue;
      this.#taken.push(place);
      this.#written += 1;
      return textPath(caption, place.left + 2 * dot, place.top + dot, dot);
    }
    return undefined;
  }
}

/**
 * Draws the marks as SVG of the page's size: boxes coloured by confidence, labelled with their pointers where there is
 * room. It has no text, only outlines of letters.
 */
export function overlaySvg(marks: readonly ValueMark[], canvas: Canvas): string {
  const { width, height, pixelsPerInch } = canvas;
  const margin = OUTLINE_MARGIN_INCHES * pixelsPerInch;
  const boxes = marks.map(({ outlines }) => areaAround(outlines.flat(), pixelsPerInch, margin));
  const labels = new LabelPlacer(canvas, boxes);
  const stroke = Math.max(round(STROKE_INCHES * pixelsPerInch), 1);
  const drawn = marks.map(({ pointers, outlines, confidence }, index) => {
    const { colour, dashed } = confidenceStyle(confidence) ?? { colour: "#000000", dashed: false };
    const outline = outlines.map((one) => outlinePath(one, canvas)).join("");
    const dashes = dashed ? ` stroke-dasharray="${4 * stroke} ${2 * stroke}"` : "";
    const box = boxes[index];
    const label = box === undefined ? undefined : labels.place(pointers, box);
    const written = label === undefined ? "" : `<path d="${label}" fill="${colour}"/>`;
    return `<path d="${outline}" fill="${colour}" fill-opacity="0.1" stroke="${colour}" stroke-width="${stroke}"${dashes}/>${written}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${drawn.join("")}</svg>`;
}
