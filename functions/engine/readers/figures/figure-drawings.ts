/** Finds drawings among a page's shapes: charts, diagrams, logos; not tables, forms, rules, frames and bands. */
import type { Box } from "../../../ports/layout.ts";
import { containsBox, middleX, middleY, overlapExtents, unionBox } from "../../layout/geometry.ts";
import type { FigureObjects } from "../pdf/figure-objects.ts";
import type { PageDrawing } from "../pdf/page-drawing.ts";
import type { PathShape } from "../pdf/path-shapes.ts";
import { slabsOf } from "./caption-slabs.ts";

/**
 * Side of the grid's cells: free shapes closer than a cell or two belong together, such as a line of a chart and its
 * marks.
 */
const CELL_POINTS = 6;
const MAX_CELLS = 256;
/** Share of both sides of a page from which a shape is its frame or background. */
const WHOLE_PAGE_SHARE = 0.8;
/** Sides and area of a drawing: a signature or word mark, not an icon. */
const MIN_SIDE_POINTS = 20;
const MIN_LONG_SIDE_POINTS = 36;
const MIN_AREA_SQUARE_POINTS = 1_500;
/** Free pieces of a drawing; fewer are a tick, an arrow, a round button. */
const MIN_FREE_PIECES = 6;
/**
 * A panel with text: share of its width that a full row of text covers, height of a row, and share of its height with
 * such rows.
 */
const MIN_TEXT_ROW_SHARE = 0.45;
const TEXT_ROW_HEIGHT_POINTS = 8;
const MAX_TEXT_ROWS_SHARE = 0.2;
/** Axes and boxes around a drawing belong to it: growth at most each way, as a share of its own size, and distance. */
const MAX_GROWTH_SHARE = 0.4;
const MAX_AXIS_DISTANCE_POINTS = 5;
/** Labels of a drawing: distance from its edge, and width as a share of its own. */
const MAX_LABEL_DISTANCE_POINTS = 6;
const MAX_LABEL_WIDTH_SHARE = 0.5;
/** Differences of the ends and widths of a chart's bars. */
const ALIGNED_BARS_POINTS = 1;
const MIN_BAR_THICKNESS_POINTS = 2;
const MIN_BARS = 4;
/** Gap between bars, in thicknesses. */
const MAX_BAR_GAP_THICKNESSES = 2.5;
/** Free pieces that a bar counts as. */
const FREE_PIECES_OF_BAR = 6;

interface ChartBar {
  shape: PathShape;
  /** Its place along the common base line, and its length across that. */
  at: number;
  length: number;
  thickness: number;
}

/** Runs of bars without a gap that is much wider than a bar. */
function barRuns(bars: readonly ChartBar[]): ChartBar[][] {
  const runs: ChartBar[][] = [];
  for (const bar of [...bars].sort((a, b) => a.at - b.at)) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    const near =
      before !== undefined && bar.at - before.at - before.thickness <= MAX_BAR_GAP_THICKNESSES * before.thickness;
    if (run !== undefined && near) run.push(bar);
    else runs.push([bar]);
  }
  return runs;
}

/**
 * Finds the bars of charts, as one shape each: filled boxes on one base line, equally thick and of different lengths.
 */
function barsAmong(shapes: readonly PathShape[], upright: boolean): PathShape[] {
  const rows = new Map<string, ChartBar[]>();
  for (const shape of shapes) {
    if (!shape.filled) continue;
    const { left, top, right, bottom } = shape.box;
    const [base, at, thickness, length] = upright
      ? [bottom, left, right - left, bottom - top]
      : [left, top, bottom - top, right - left];
    if (thickness < MIN_BAR_THICKNESS_POINTS || length < MIN_BAR_THICKNESS_POINTS) continue;
    const key = `${Math.round(base / ALIGNED_BARS_POINTS)} ${Math.round(thickness / ALIGNED_BARS_POINTS)}`;
    const row = rows.get(key);
    if (row === undefined) rows.set(key, [{ shape, at, length, thickness }]);
    else row.push({ shape, at, length, thickness });
  }
  return [...rows.values()].flatMap(barRuns).flatMap((run) => {
    const different = new Set(run.map(({ length }) => Math.round(length / ALIGNED_BARS_POINTS))).size;
    if (run.length < MIN_BARS || different < run.length / 2) return [];
    return [{ box: unionBox(run.map(({ shape }) => shape.box)), drawn: run.length * FREE_PIECES_OF_BAR, filled: true }];
  });
}

/** Connected components of shapes whose boxes, a cell wider, touch on a grid. */
export function connectedShapes<S extends Pick<PathShape, "box">>(
  shapes: readonly S[],
  width: number,
  height: number,
): S[][] {
  const cell = Math.max(CELL_POINTS, Math.max(width, height) / MAX_CELLS);
  const columns = Math.ceil(width / cell) + 2;
  const parent = shapes.map((_, index) => index);
  const find = (index: number): number => {
    let at = index;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at] ?? at] ?? at;
      at = parent[at] ?? at;
    }
    return at;
  };
  const owners = new Map<number, number>();
  for (const [index, { box }] of shapes.entries()) {
    const [left, right] = [Math.floor(box.left / cell), Math.floor(box.right / cell) + 1];
    const [top, bottom] = [Math.floor(box.top / cell), Math.floor(box.bottom / cell) + 1];
    for (let row = top; row <= bottom; row += 1) {
      for (let column = left; column <= right; column += 1) {
        const owner = owners.get(row * columns + column);
        if (owner === undefined) owners.set(row * columns + column, index);
        else parent[find(index)] = find(owner);
      }
    }
  }
  const groups = new Map<number, S[]>();
  for (const [index, shape] of shapes.entries()) {
    const group = groups.get(find(index));
    if (group === undefined) groups.set(find(index), [shape]);
    else group.push(shape);
  }
  return [...groups.values()];
}

const sides = ({ left, top, right, bottom }: Box): [number, number] => [right - left, bottom - top];

function isLargeEnough(box: Box): boolean {
  const [width, height] = sides(box);
  const long = Math.max(width, height);
  return (
    Math.min(width, height) >= MIN_SIDE_POINTS &&
    long >= MIN_LONG_SIDE_POINTS &&
    width * height >= MIN_AREA_SQUARE_POINTS
  );
}

const isNear = (a: Box, b: Box, distance: number): boolean => {
  const { across, down } = overlapExtents(a, b);
  return across >= -distance && down >= -distance;
};

/** True if rows of text fill a box: it is read rather than viewed, in whatever pieces the text is written. */
function isTextPanel(core: Box, texts: readonly Box[]): boolean {
  const [width, height] = sides(core);
  const rows = new Map<number, number>();
  for (const text of texts) {
    const { across, down } = overlapExtents(text, core);
    if (across <= 0 || down < (text.bottom - text.top) / 2) continue;
    const row = Math.floor(middleY(text) / TEXT_ROW_HEIGHT_POINTS);
    rows.set(row, (rows.get(row) ?? 0) + across);
  }
  const full = [...rows.values()].filter((run) => run >= MIN_TEXT_ROW_SHARE * width).length;
  return full * TEXT_ROW_HEIGHT_POINTS > MAX_TEXT_ROWS_SHARE * height && full > 1;
}

/** Extends the box by the axes, grids and boxes that belong to it. */
function withFrame(core: Box, stiff: readonly Box[]): Box {
  const [width, height] = sides(core);
  const outer = {
    left: core.left - MAX_GROWTH_SHARE * width,
    top: core.top - MAX_GROWTH_SHARE * height,
    right: core.right + MAX_GROWTH_SHARE * width,
    bottom: core.bottom + MAX_GROWTH_SHARE * height,
  };
  const within = stiff.filter((box) => containsBox(outer, box));
  return unionBox([core, ...within.filter((box) => isNear(box, core, MAX_AXIS_DISTANCE_POINTS))]);
}

/** Extends the box by the labels on its edge or close beside it. */
function withLabels(box: Box, texts: readonly Box[]): Box {
  const [width] = sides(box);
  const labels = texts.filter(
    (text) => text.right - text.left <= MAX_LABEL_WIDTH_SHARE * width && isNear(text, box, MAX_LABEL_DISTANCE_POINTS),
  );
  return unionBox([box, ...labels]);
}

const chartBars = (shapes: readonly PathShape[]): PathShape[] => [
  ...barsAmong(shapes, true),
  ...barsAmong(shapes, false),
];

/** True if a page may have drawings: told from what its tables are found by, which is read anyway. */
export const mayHoldDrawings = ({ free, fills }: PageDrawing): boolean =>
  free >= MIN_FREE_PIECES ||
  (fills.length >= MIN_BARS && chartBars(fills.map(({ box }) => ({ box, drawn: 0, filled: true }))).length > 0);

/** A drawing: its box in points as shown, and the number of its free shapes. */
export interface Drawing {
  box: Box;
  shapes: number;
  /** The drawing that it was parted from: two of one number are two figures, however close they stand. */
  parted?: number;
}

/**
 * Finds a page's drawings.
 * @param captions boxes of the captions of figures, points as shown: a drawing over several of them is parted
 */
export function findDrawings(
  { width, height, shapes, texts }: FigureObjects,
  captions: readonly Box[] = [],
): Drawing[] {
  const isOfPage = ({ box }: PathShape): boolean => {
    const [across, down] = sides(box);
    return across >= WHOLE_PAGE_SHARE * width && down >= WHOLE_PAGE_SHARE * height;
  };
  const page = { width, height, texts };
  const own = shapes.filter((shape) => !isOfPage(shape));
  return drawingsAmong(own, page).flatMap((drawing, number) => {
    const within = own.filter(({ box }) => containsBox(drawing.box, box));
    const slabs = slabsOf(drawing.box, within, captions);
    const parts = slabs.map(({ left, right }) => {
      const isInside = (box: Box): boolean => middleX(box) >= left && middleX(box) < right;
      const labels = texts.filter(isInside);
      return drawingsAmong(
        within.filter(({ box }) => isInside(box)),
        { ...page, texts: labels },
      );
    });
    const isParted = parts.length > 1 && parts.every((part) => part.length > 0);
    return isParted ? parts.map((part) => ({ ...joinDrawings(part), parted: number })) : [drawing];
  });
}

const joinDrawings = (parts: readonly Drawing[]): Drawing => ({
  box: unionBox(parts.map(({ box }) => box)),
  shapes: parts.reduce((sum, { shapes }) => sum + shapes, 0),
});

/** The drawings that some shapes make. */
function drawingsAmong(
  own: readonly PathShape[],
  { width, height, texts }: Pick<FigureObjects, "width" | "height" | "texts">,
): Drawing[] {
  const free = [...own.filter((shape) => shape.drawn > 0), ...chartBars(own)];
  const stiff = own.filter((shape) => shape.drawn === 0).map(({ box }) => box);
  return connectedShapes(free, width, height).flatMap((group) => {
    const core = unionBox(group.map(({ box }) => box));
    const pieces = group.reduce((sum, { drawn }) => sum + drawn, 0);
    if (pieces < MIN_FREE_PIECES || !isLargeEnough(core)) return [];
    if (isTextPanel(core, texts)) return [];
    const box = withLabels(withLabels(withFrame(core, stiff), texts), texts);
    return [{ box, shapes: group.length }];
  });
}
