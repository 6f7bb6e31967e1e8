/** Arithmetic of boxes and spans, in any unit of length; x to the right, y downwards. Medians and quantiles of numbers. */
import type { Box } from "../../ports/layout.ts";

type Span = Pick<Box, "left" | "right">;
type VerticalSpan = Pick<Box, "top" | "bottom">;

/** 0 for an inverted box. */
export const area = ({ left, top, right, bottom }: Box): number =>
  Math.max(right - left, 0) * Math.max(bottom - top, 0);

export const middleX = ({ left, right }: Span): number => (left + right) / 2;
export const middleY = ({ top, bottom }: VerticalSpan): number => (top + bottom) / 2;

/** The common part of two boxes; inverted where they are apart. */
export const intersection = (a: Box, b: Box): Box => ({
  left: Math.max(a.left, b.left),
  top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right),
  bottom: Math.min(a.bottom, b.bottom),
});

/** True if two boxes have more than an edge in common. */
export const intersects = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

export const overlapArea = (a: Box, b: Box): number => area(intersection(a, b));

/** Share of the smaller of two boxes that the other covers, 0 to 1. */
export function overlapShare(a: Box, b: Box): number {
  const smaller = Math.min(area(a), area(b));
  return smaller === 0 ? 0 : overlapArea(a, b) / smaller;
}

/** Length that two spans have in common; negative for the gap between them. */
export const spanOverlap = (from: number, to: number, otherFrom: number, otherTo: number): number =>
  Math.min(to, otherTo) - Math.max(from, otherFrom);

/** Width and height that two boxes have in common; negative for the gap between them. */
export const overlapExtents = (a: Box, b: Box): { across: number; down: number } => ({
  across: spanOverlap(a.left, a.right, b.left, b.right),
  down: spanOverlap(a.top, a.bottom, b.top, b.bottom),
});

/** True if `inner` lies within `outer`, edges included. */
export const containsBox = (outer: Box, inner: Box): boolean =>
  inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;

/** True if the middle of `inner` lies within `outer` or on an edge of it. */
export const containsMiddle = (outer: Box, { left, top, right, bottom }: Box): boolean =>
  left + right >= 2 * outer.left &&
  left + right <= 2 * outer.right &&
  top + bottom >= 2 * outer.top &&
  top + bottom <= 2 * outer.bottom;

/** True if the middle of `inner` lies within `outer`, edges excluded. */
export const enclosesMiddle = (outer: Box, { left, top, right, bottom }: Box): boolean =>
  left + right > 2 * outer.left &&
  left + right < 2 * outer.right &&
  top + bottom > 2 * outer.top &&
  top + bottom < 2 * outer.bottom;

/** The smallest box that holds all of the boxes. @throws RangeError for none */
export function unionBox(boxes: readonly Box[]): Box {
  const first = boxes[0];
  if (first === undefined) throw new RangeError("A union needs at least one box");
  const union = { ...first };
  for (const box of boxes) extendBox(union, box);
  return union;
}

/** The smallest box that holds the boxes of all of the items. @throws RangeError for none */
export function boxAround(items: readonly { box: Box }[]): Box {
  const first = items[0];
  if (first === undefined) throw new RangeError("A union needs at least one box");
  // Plain numbers need no object for each item.
  let { left, top, right, bottom } = first.box;
  for (let index = 1; index < items.length; index += 1) {
    const box = items[index]?.box ?? first.box;
    left = Math.min(left, box.left);
    top = Math.min(top, box.top);
    right = Math.max(right, box.right);
    bottom = Math.max(bottom, box.bottom);
  }
  return { left, top, right, bottom };
}

/** Extends `box` in place so that it holds `other`. */
export function extendBox(box: Box, other: Box): void {
  box.left = Math.min(box.left, other.left);
  box.top = Math.min(box.top, other.top);
  box.right = Math.max(box.right, other.right);
  box.bottom = Math.max(box.bottom, other.bottom);
}

/** The smallest box that holds all of the points; for none, one that is inverted and infinite. */
export function pointsBox(points: readonly { x: number; y: number }[]): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y } of points) {
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

/** Up to this count, insertion is faster than `sort`. */
const MAX_INSERTION_COUNT = 24;

/** The numbers in ascending order: as given, where they are in order already, as sizes of type mostly are. */
function ascending(numbers: Iterable<number>): ArrayLike<number> {
  const given = Array.isArray(numbers) ? (numbers as readonly number[]) : [...numbers];
  let inOrder = 1;
  while (inOrder < given.length && (given[inOrder - 1] ?? 0) <= (given[inOrder] ?? 0)) inOrder += 1;
  if (inOrder >= given.length) return given;
  if (given.length > MAX_INSERTION_COUNT) return Float64Array.from(given).sort();
  const sorted = given.slice();
  for (let index = inOrder; index < sorted.length; index += 1) {
    const number = sorted[index] ?? 0;
    let at = index;
    for (; at > 0 && (sorted[at - 1] ?? 0) > number; at -= 1) sorted[at] = sorted[at - 1] ?? 0;
    sorted[at] = number;
  }
  return sorted;
}

/** The middle number, the upper one of an even count; 0 for none. */
export function median(numbers: Iterable<number>): number {
  const sorted = ascending(numbers);
  return sorted[sorted.length >> 1] ?? 0;
}

/** The number at `share` (0 to 1) of the way from the least to the greatest, rounded down to one of them; 0 for none. */
export function quantile(numbers: Iterable<number>, share: number): number {
  const sorted = ascending(numbers);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

/** The value at or below which `share` of a histogram's counts lie; the last value where they never do. */
export function histogramQuantile(counts: Uint32Array, share: number): number {
  let left = counts.reduce((sum, count) => sum + count, 0) * share;
  const value = counts.findIndex((count) => {
    left -= count;
    return left <= 0;
  });
  return value < 0 ? counts.length - 1 : value;
}
