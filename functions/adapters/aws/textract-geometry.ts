/**
 * Converts Textract's geometry to inches. The service gives ratios of the page (0 to 1); the first two points of a
 * polygon
 * are the top left and top right corner of the text as read, so their direction is the text's direction.
 */

import type { Block, Geometry } from "@aws-sdk/client-textract";
import { pointsBox } from "../../engine/layout/geometry.ts";
import type { Box } from "../../ports/layout.ts";
import type { OcrFrame } from "../../ports/ocr.ts";

export interface Point {
  x: number;
  y: number;
}

/** Rounds to 0.0001 inch. */
const round = (inches: number): number => Math.round(inches * 10_000) / 10_000;
const clamp = (value: number, limit: number): number => Math.min(Math.max(value, 0), limit);
const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const QUARTER_TURN_DEGREES = 90;

function cornersOf({ BoundingBox: { Left = 0, Top = 0, Width = 0, Height = 0 } = {} }: Geometry): Point[] {
  const [right, bottom] = [Left + Width, Top + Height];
  return [
    { x: Left, y: Top },
    { x: right, y: Top },
    { x: right, y: bottom },
    { x: Left, y: bottom },
  ];
}

/** The outline of a block in inches: its polygon, or the corners of its bounding box when it has none. */
export function outlineOf({ Geometry: geometry = {} }: Block, { width, height }: OcrFrame): Point[] {
  const polygon = (geometry.Polygon ?? []).map(({ X = 0, Y = 0 }) => ({ x: X, y: Y }));
  const points = polygon.length >= 3 ? polygon : cornersOf(geometry);
  return points.map(({ x, y }) => ({ x: x * width, y: y * height }));
}

/** The axis-aligned box of an outline, clipped to the page, rounded. */
export function boxOf(outline: readonly Point[], { width, height }: OcrFrame): Box {
  const { left, top, right, bottom } = pointsBox(outline);
  return {
    left: round(clamp(left, width)),
    top: round(clamp(top, height)),
    right: round(clamp(right, width)),
    bottom: round(clamp(bottom, height)),
  };
}

/** The box of an outline after the page is rotated so that its text is level; the origin is the page's own. */
export function levelBox(outline: readonly Point[], angle: number): Box {
  const [sine, cosine] = [Math.sin(radians(-angle)), Math.cos(radians(-angle))];
  return pointsBox(outline.map(({ x, y }) => ({ x: x * cosine - y * sine, y: x * sine + y * cosine })));
}

function baseline([first, second]: readonly Point[]): Point {
  if (first === undefined || second === undefined) return { x: 0, y: 0 };
  return { x: second.x - first.x, y: second.y - first.y };
}

const degreesOf = ({ x, y }: Point): number => (Math.atan2(y, x) * 180) / Math.PI;
/** 0 to 3: rightwards, downwards, leftwards, upwards. */
const quarterOf = (direction: Point): number => (Math.round(degreesOf(direction) / QUARTER_TURN_DEGREES) + 4) % 4;

/**
 * Degrees clockwise, above -180 to 180, by which most of the text is rotated: the length-weighted mean direction of the
 * lines that run in the quarter of most of the text.
 */
export function textAngle(lines: readonly (readonly Point[])[]): number {
  const sums: Point[] = Array.from({ length: 4 }, () => ({ x: 0, y: 0 }));
  for (const line of lines) {
    const direction = baseline(line);
    const sum = sums[quarterOf(direction)];
    if (sum === undefined) continue;
    sum.x += direction.x;
    sum.y += direction.y;
  }
  const most = sums.reduce((a, b) => (Math.hypot(b.x, b.y) > Math.hypot(a.x, a.y) ? b : a));
  const angle = Math.round(degreesOf(most) * 100) / 100;
  return angle === -180 ? 180 : angle + 0;
}
