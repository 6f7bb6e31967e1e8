/** Marks as a drawing to lay over the picture of their page. */

import { intersects } from "../../layout/geometry.ts";
import { textPath, textSize } from "./grid-letters.ts";
import type { Area } from "./ink-meter.ts";
import type { Mark, Point } from "./value-marks.ts";

/** What a label is to know of the page below. */
export interface Canvas {
  /** Pixels. */
  width: number;
  height: number;
  pixelsPerInch: number;
  /** The share of an area that carries ink. */
  inkIn(area: Area): number;
}

/** From sure to doubtful; the doubtful ones are dashed too, for who cannot tell the colours. */
const CONFIDENCE = [
  { least: 0.9, colour: "#1a7f37", dashed: false },
  { least: 0.7, colour: "#b35900", dashed: false },
  { least: 0, colour: "#cf222e", dashed: true },
];
/** Inches that an outline stands off the words it is around: half the gap between lines of text set solid. */
const MARGIN = 0.012;
const STROKE = 0.01;
/** Inches of a letter's dot: capitals of seven are as high as in print of 6 points. */
const DOT = 0.0086;
/** Share of a label's place that may be inked: a speck of a scan, but no rule across it. */
const MOST_INK = 0.002;
/** A label that has no room within so many places tried is left out; so is every one beyond so many. */
const MOST_LABELS = 400;

const style = (confidence: number) => CONFIDENCE.find(({ least }) => confidence >= least) ?? CONFIDENCE[2];
const round = (value: number): number => Math.round(value * 10) / 10;

function around(outline: readonly Point[], scale: number, margin: number): Area {
  const area = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y } of outline) {
    area.left = Math.min(area.left, x * scale - margin);
    area.top = Math.min(area.top, y * scale - margin);
    area.right = Math.max(area.right, x * scale + margin);
    area.bottom = Math.max(area.bottom, y * scale + margin);
  }
  return area;
}

/** Whether all corners are those of a box with level edges; only such a one can be given a margin by its edges. */
const isLevel = (outline: readonly Point[], box: Area, scale: number, margin: number): boolean =>
  outline.every(
    ({ x, y }) =>
      (Math.abs(x * scale - margin - box.left) < 0.5 || Math.abs(x * scale + margin - box.right) < 0.5) &&
      (Math.abs(y * scale - margin - box.top) < 0.5 || Math.abs(y * scale + margin - box.bottom) < 0.5),
  );

function outlinePath(outline: readonly Point[], { pixelsPerInch: scale }: Canvas): string {
  const margin = MARGIN * scale;
  const box = around(outline, scale, margin);
  if (isLevel(outline, box, scale, margin)) {
    const { left, top, right, bottom } = box;
    return `M${round(left)} ${round(top)}H${round(right)}V${round(bottom)}H${round(left)}z`;
  }
  return `M${outline.map(({ x, y }) => `${round(x * scale)} ${round(y * scale)}`).join("L")}z`;
}

/** The texts that a mark may be labelled with, the fullest first: whole pointers, else their last parts. */
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
function placesFor(box: Area, width: number, height: number): Area[] {
  const at = (left: number, top: number): Area => ({ left, top, right: left + width, bottom: top + height });
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

/** Puts labels where there is room: on the page, over no ink, no other label and no mark. */
class Labels {
  readonly #canvas: Canvas;
  readonly #taken: Area[];
  #written = 0;

  constructor(canvas: Canvas, boxes: readonly Area[]) {
    this.#canvas = canvas;
    this.#taken = [...boxes];
  }

  #isFree(area: Area): boolean {
    const { width, height, inkIn } = this.#canvas;
    const inside = area.left >= 0 && area.top >= 0 && area.right <= width && area.bottom <= height;
    return inside && inkIn(area) <= MOST_INK && !this.#taken.some((other) => intersects(area, other));
  }

  /** @returns the label's path, or none where there is no room */
  place(pointers: readonly string[], box: Area): string | undefined {
    if (this.#written >= MOST_LABELS) return undefined;
    const dot = Math.max(DOT * this.#canvas.pixelsPerInch, 1);
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
 * The drawing, as SVG of the page's size: boxes coloured by confidence, labelled with their pointers where there is room.
 * It has no text, only outlines of letters.
 */
export function overlaySvg(marks: readonly Mark[], canvas: Canvas): string {
  const { width, height, pixelsPerInch } = canvas;
  const margin = MARGIN * pixelsPerInch;
  const boxes = marks.map(({ outlines }) => around(outlines.flat(), pixelsPerInch, margin));
  const labels = new Labels(canvas, boxes);
  const stroke = Math.max(round(STROKE * pixelsPerInch), 1);
  const drawn = marks.map(({ pointers, outlines, confidence }, index) => {
    const { colour, dashed } = style(confidence) ?? { colour: "#000000", dashed: false };
    const outline = outlines.map((one) => outlinePath(one, canvas)).join("");
    const dashes = dashed ? ` stroke-dasharray="${4 * stroke} ${2 * stroke}"` : "";
    const box = boxes[index];
    const label = box === undefined ? undefined : labels.place(pointers, box);
    const written = label === undefined ? "" : `<path d="${label}" fill="${colour}"/>`;
    return `<path d="${outline}" fill="${colour}" fill-opacity="0.1" stroke="${colour}" stroke-width="${stroke}"${dashes}/>${written}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${drawn.join("")}</svg>`;
}
