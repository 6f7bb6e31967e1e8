/** Compares the drawings of a form before and after it is filled: they differ in the fields' boxes, and nowhere else. */
import type { AcroFormMetadata, AcroFormWidget } from "../../functions/engine/forms/acroform/acroform.ts";
import type { DrawnPage } from "./drawn-page.ts";
import type { Probe } from "./probe-values.ts";

/** Grey levels, of 255, by which a pixel differs. */
const DIFFERENCE = 24;
/** Pixels around a box that its border's blur may reach. */
const MARGIN = 2;

export interface Comparison {
  /** Fields with a box that is to differ. */
  shown: number;
  /** Names of those without any difference in a box. */
  unchanged: string[];
  /** Pixels outside of all boxes that differ. */
  strayPixels: number;
}

/** Grey levels, of 255, from which a pixel is dark. */
const DARK = 128;
/** Edges that are drawn a fraction of a pixel elsewhere differ by less. */
const CLEAR_DIFFERENCE = 60;

/** Pixels that clearly differ, as a share of the dark ones. */
export function shareOfDifference(live: readonly DrawnPage[], flat: readonly DrawnPage[]): number {
  let [different, dark] = [0, 0];
  for (const [index, { grey }] of live.entries()) {
    for (const [at, value] of grey.entries()) {
      if (value < DARK) dark += 1;
      if (Math.abs(value - (flat[index]?.grey[at] ?? 0)) > CLEAR_DIFFERENCE) different += 1;
    }
  }
  return different / Math.max(1, dark);
}

type Box = { left: number; top: number; right: number; bottom: number };

function boxesOf(widget: AcroFormWidget): { page: number; box: Box }[] {
  return widget.pageAnchors.map(({ pageNumber, bbox }) => ({ page: pageNumber - 1, box: bbox }));
}

/** Marks of each page: 0 the same, 1 different. */
function differences(before: DrawnPage, after: DrawnPage): Uint8Array {
  const marks = new Uint8Array(after.grey.length);
  if (before.width !== after.width || before.height !== after.height) return marks.fill(1);
  for (let at = 0; at < marks.length; at += 1) {
    if (Math.abs((before.grey[at] ?? 0) - (after.grey[at] ?? 0)) > DIFFERENCE) marks[at] = 1;
  }
  return marks;
}

/** Visits the marks of a box, and clears them. */
function takeMarks(marks: Uint8Array, { width, height }: DrawnPage, box: Box, margin: number, clear: boolean): number {
  let found = 0;
  const [top, bottom] = [Math.max(0, Math.floor(box.top) - margin), Math.min(height, Math.ceil(box.bottom) + margin)];
  const [left, right] = [Math.max(0, Math.floor(box.left) - margin), Math.min(width, Math.ceil(box.right) + margin)];
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const at = y * width + x;
      if (marks[at] === 1) found += 1;
      if (clear) marks[at] = 0;
    }
  }
  return found;
}

const isVisible = (flags: readonly string[]): boolean => !flags.includes("hidden");

/** True where the box lies on its page. */
const isOnPage = (box: Box, page: DrawnPage | undefined): page is DrawnPage =>
  page !== undefined && box.right > 1 && box.bottom > 1 && box.left < page.width - 1 && box.top < page.height - 1;

/** Compares drawings of all pages. @param metadata of the form before it is filled */
export function compareDrawn(
  before: readonly DrawnPage[],
  after: readonly DrawnPage[],
  metadata: AcroFormMetadata,
  probes: readonly Probe[],
): Comparison {
  const marks = after.map((page, index) => {
    const former = before[index];
    return former === undefined ? new Uint8Array(page.grey.length).fill(1) : differences(former, page);
  });
  const byName = new Map(metadata.fields.map((field) => [field.name, field]));
  const unchanged: string[] = [];
  let shown = 0;
  for (const { field } of probes) {
    const described = byName.get(field.name);
    if (described === undefined || !isVisible(described.flags)) continue;
    const boxes = described.widgets.flatMap(boxesOf).filter(({ page, box }) => isOnPage(box, after[page]));
    if (boxes.length === 0) continue;
    shown += 1;
    const changed = boxes.some(
      ({ page, box }) => takeMarks(marks[page] ?? new Uint8Array(), after[page] as DrawnPage, box, 0, false) > 0,
    );
    if (!changed) unchanged.push(field.name);
  }
  for (const { field } of probes) {
    for (const { page, box } of (byName.get(field.name)?.widgets ?? []).flatMap(boxesOf)) {
      const drawn = after[page];
      if (drawn !== undefined) takeMarks(marks[page] ?? new Uint8Array(), drawn, box, MARGIN, true);
    }
  }
  return {
    shown,
    unchanged,
    strayPixels: marks.reduce((sum, page) => sum + page.reduce((all, one) => all + one, 0), 0),
  };
}
