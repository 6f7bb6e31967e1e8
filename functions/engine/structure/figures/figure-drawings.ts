/** Drawings among a page's shapes: charts, diagrams, logos; not tables, forms, rules, frames and bands. */
import type { Box } from "../../../ports/layout.ts";
import { containsBox, middleY, overlapExtents, unionBox } from "../../layout/geometry.ts";
import type { PageObjects } from "../../readers/pdf/figure-objects.ts";
import type { PageDrawing } from "../../readers/pdf/page-drawing.ts";
import type { Shape } from "../../readers/pdf/path-shapes.ts";

/** All in points. Free shapes closer than a cell or two belong together: a line of a chart and its marks. */
const CELL = 6;
const MOST_CELLS = 256;
/** What runs over so much of both sides of a page is its frame or background. */
const WHOLE_PAGE = 0.8;
/** A drawing is at least so wide and high, one way and the other: a signature or word mark, not an icon. */
const LEAST_SIDE = 20;
const LEAST_LONG_SIDE = 36;
const LEAST_AREA = 1_500;
/** Free pieces: fewer are a tick, an arrow, a round button. */
const LEAST_FREE = 6;
/** Rows of text that run over so much of its width, on so much of its height, make it a panel with text. */
const TEXT_ROW = 0.45;
const TEXT_ROW_HEIGHT = 8;
const MOST_TEXT = 0.2;
/** Axes and boxes around a drawing are part of it while it grows by no more than this, of its own size, each way. */
const GROWTH = 0.4;
const NEAR = 5;
/** Labels stand on a drawing's edge or as far as this beside it, and are short beside its width. */
const LABEL_NEAR = 6;
const LABEL_WIDTH = 0.5;
/** Points by which the ends and widths of a chart's bars may differ. */
const ALIGNED = 1;
const THINNEST_BAR = 2;
const LEAST_BARS = 4;
/** Of their thickness, the space between bars. */
const BAR_GAP = 2.5;
/** Free pieces that a bar counts for. */
const BAR_WORTH = 6;

interface Bar {
  shape: Shape;
  /** Where it begins across the line that all stand on, and how long it is. */
  at: number;
  length: number;
  thickness: number;
}

/** Bars in runs without a gap that is much wider than a bar. */
function runsOf(bars: readonly Bar[]): Bar[][] {
  const runs: Bar[][] = [];
  for (const bar of [...bars].sort((a, b) => a.at - b.at)) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    const near = before !== undefined && bar.at - before.at - before.thickness <= BAR_GAP * before.thickness;
    if (run !== undefined && near) run.push(bar);
    else runs.push([bar]);
  }
  return runs;
}

/** Filled boxes that stand on one line, equally thick and of different lengths: the bars of a chart, as one shape. */
function barsAmong(shapes: readonly Shape[], upright: boolean): Shape[] {
  const rows = new Map<string, Bar[]>();
  for (const shape of shapes) {
    if (!shape.filled) continue;
    const { left, top, right, bottom } = shape.box;
    const [base, at, thickness, length] = upright
      ? [bottom, left, right - left, bottom - top]
      : [left, top, bottom - top, right - left];
    if (thickness < THINNEST_BAR || length < THINNEST_BAR) continue;
    const key = `${Math.round(base / ALIGNED)} ${Math.round(thickness / ALIGNED)}`;
    const row = rows.get(key);
    if (row === undefined) rows.set(key, [{ shape, at, length, thickness }]);
    else row.push({ shape, at, length, thickness });
  }
  return [...rows.values()].flatMap(runsOf).flatMap((run) => {
    const different = new Set(run.map(({ length }) => Math.round(length / ALIGNED))).size;
    if (run.length < LEAST_BARS || different < run.length / 2) return [];
    return [{ box: unionBox(run.map(({ shape }) => shape.box)), drawn: run.length * BAR_WORTH, filled: true }];
  });
}

/** Components of shapes whose boxes, a cell wider, touch on a grid. */
export function components<S extends Pick<Shape, "box">>(shapes: readonly S[], width: number, height: number): S[][] {
  const cell = Math.max(CELL, Math.max(width, height) / MOST_CELLS);
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
  return Math.min(width, height) >= LEAST_SIDE && long >= LEAST_LONG_SIDE && width * height >= LEAST_AREA;
}

const isNear = (a: Box, b: Box, distance: number): boolean => {
  const { across, down } = overlapExtents(a, b);
  return across >= -distance && down >= -distance;
};

/** Whether it is read rather than looked at: rows of text, in whatever pieces they are written, fill it. */
function isTextPanel(core: Box, texts: readonly Box[]): boolean {
  const [width, height] = sides(core);
  const rows = new Map<number, number>();
  for (const text of texts) {
    const { across, down } = overlapExtents(text, core);
    if (across <= 0 || down < (text.bottom - text.top) / 2) continue;
    const row = Math.floor(middleY(text) / TEXT_ROW_HEIGHT);
    rows.set(row, (rows.get(row) ?? 0) + across);
  }
  const full = [...rows.values()].filter((run) => run >= TEXT_ROW * width).length;
  return full * TEXT_ROW_HEIGHT > MOST_TEXT * height && full > 1;
}

/** The box with the axes, grids and boxes that belong to it. */
function withFrame(core: Box, stiff: readonly Box[]): Box {
  const [width, height] = sides(core);
  const outer = {
    left: core.left - GROWTH * width,
    top: core.top - GROWTH * height,
    right: core.right + GROWTH * width,
    bottom: core.bottom + GROWTH * height,
  };
  const within = stiff.filter((box) => containsBox(outer, box));
  return unionBox([core, ...within.filter((box) => isNear(box, core, NEAR))]);
}

/** The box with the labels that stand on its edge or close beside it. */
function withLabels(box: Box, texts: readonly Box[]): Box {
  const [width] = sides(box);
  const labels = texts.filter((text) => text.right - text.left <= LABEL_WIDTH * width && isNear(text, box, LABEL_NEAR));
  return unionBox([box, ...labels]);
}

const chartBars = (shapes: readonly Shape[]): Shape[] => [...barsAmong(shapes, true), ...barsAmong(shapes, false)];

/** Whether a page may have drawings at all: told from what its tables are found by, which is read anyway. */
export const mayHoldDrawings = ({ free, fills }: PageDrawing): boolean =>
  free >= LEAST_FREE ||
  (fills.length >= LEAST_BARS && chartBars(fills.map(({ box }) => ({ box, drawn: 0, filled: true }))).length > 0);

/** The boxes of a page's drawings, points as shown, and of how many free shapes each is made. */
export function findDrawings({ width, height, shapes, texts }: PageObjects): { box: Box; shapes: number }[] {
  const isOfPage = ({ box }: Shape): boolean => {
    const [across, down] = sides(box);
    return across >= WHOLE_PAGE * width && down >= WHOLE_PAGE * height;
  };
  const own = shapes.filter((shape) => !isOfPage(shape));
  const free = [...own.filter((shape) => shape.drawn > 0), ...chartBars(own)];
  const stiff = own.filter((shape) => shape.drawn === 0).map(({ box }) => box);
  return components(free, width, height).flatMap((group) => {
    const core = unionBox(group.map(({ box }) => box));
    const pieces = group.reduce((sum, { drawn }) => sum + drawn, 0);
    if (pieces < LEAST_FREE || !isLargeEnough(core)) return [];
    if (isTextPanel(core, texts)) return [];
    const box = withLabels(withLabels(withFrame(core, stiff), texts), texts);
    return [{ box, shapes: group.length }];
  });
}
