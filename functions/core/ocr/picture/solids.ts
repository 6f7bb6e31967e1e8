/** Large dark areas: white type on dark bars is turned to black on white, black borders of a copier are taken out. */
import { type Components, eachRun } from "./components.ts";
import { type Gray, WHITE } from "./gray.ts";

/** Of a bar that type can stand on, inches. */
const LEAST_BAR = 0.1;
/** No letter below 40 points is so long. */
const LEAST_LENGTH = 0.5;
/** Share of its box that a bar covers: less is a frame, a drawing or bold type that touches. */
const BAR_FILL = 0.6;
/** A border runs along so much of the picture's side. */
const BORDER = 0.25;

function isBar(pieces: Components, index: number, dpi: number): boolean {
  const width = (pieces.right[index] ?? 0) - (pieces.left[index] ?? 0);
  const height = (pieces.bottom[index] ?? 0) - (pieces.top[index] ?? 0);
  if (Math.min(width, height) < LEAST_BAR * dpi || Math.max(width, height) < LEAST_LENGTH * dpi) return false;
  return (pieces.area[index] ?? 0) >= BAR_FILL * width * height;
}

interface BarRow {
  y: number;
  start: number;
  end: number;
}

/** The rows of the chosen pieces, each from its first to its last pixel. */
function rowsOf(pieces: Components, chosen: ReadonlySet<number>): Map<number, BarRow[]> {
  const rows = new Map<number, BarRow[]>();
  eachRun(
    pieces,
    (index) => chosen.has(index),
    (start, end, y, owner) => {
      const own = rows.get(owner);
      const last = own?.at(-1);
      if (own === undefined) rows.set(owner, [{ y, start, end }]);
      else if (last?.y === y) last.end = end;
      else own.push({ y, start, end });
    },
  );
  return rows;
}

/** The median gray of a bar, which is its ink: type on it covers less than half. */
function inkOf({ width, pixels }: Gray, rows: readonly BarRow[]): number {
  const counts = new Uint32Array(256);
  let left = 0;
  for (const { y, start, end } of rows) {
    for (let at = y * width + start; at < y * width + end; at += 1) {
      const value = pixels[at] ?? 0;
      counts[value] = (counts[value] ?? 0) + 1;
    }
    left += (end - start) / 2;
  }
  return counts.findIndex((count) => {
    left -= count;
    return left <= 0;
  });
}

/** Turns dark bars to white and what is left out of them to black, in place. @returns the pieces that were bars */
export function invertBars(gray: Gray, pieces: Components, dpi: number): Set<number> {
  const bars = new Set<number>();
  for (let index = 0; index < pieces.count; index += 1) if (isBar(pieces, index, dpi)) bars.add(index);
  if (bars.size === 0) return bars;
  const { width, pixels } = gray;
  for (const rows of rowsOf(pieces, bars).values()) {
    const ink = inkOf(gray, rows);
    const gain = WHITE / Math.max(WHITE - ink, 1);
    for (const { y, start, end } of rows) {
      for (let at = y * width + start; at < y * width + end; at += 1) {
        pixels[at] = Math.min((WHITE - (pixels[at] ?? 0)) * gain, WHITE);
      }
    }
  }
  return bars;
}

/** Erases what runs along the picture's edges, in place. @returns the pieces that were borders */
export function eraseBorders(gray: Gray, pieces: Components): Set<number> {
  const { width, height, pixels } = gray;
  const borders = new Set<number>();
  for (let index = 0; index < pieces.count; index += 1) {
    const [l, t, r, b] = [
      pieces.left[index] ?? 0,
      pieces.top[index] ?? 0,
      pieces.right[index] ?? 0,
      pieces.bottom[index] ?? 0,
    ];
    const beside = (l <= 1 || r >= width - 1) && b - t >= BORDER * height;
    const above = (t <= 1 || b >= height - 1) && r - l >= BORDER * width;
    if (beside || above) borders.add(index);
  }
  if (borders.size === 0) return borders;
  eachRun(
    pieces,
    (index) => borders.has(index),
    (start, end, y) => pixels.fill(WHITE, y * width + Math.max(start - 1, 0), y * width + Math.min(end + 1, width)),
  );
  return borders;
}
