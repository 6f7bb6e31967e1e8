/** The smallest rectangle around points, in any direction. */

export interface Point {
  x: number;
  y: number;
}

/** A rectangle by its middle, its sides, and the angle of its width. */
export interface TiltedBox extends Point {
  width: number;
  height: number;
  /** Radians clockwise, above -π/4 to π/4. */
  angle: number;
}

const QUARTER = Math.PI / 2;

/** Twice the area of a triangle; positive where it turns clockwise. */
const turn = (a: Point, b: Point, c: Point): number => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);

function halfHull(points: readonly Point[]): Point[] {
  const hull: Point[] = [];
  for (const point of points) {
    for (
      let [a, b] = [hull.at(-2), hull.at(-1)];
      a && b && turn(a, b, point) <= 0;
      [a, b] = [hull.at(-2), hull.at(-1)]
    ) {
      hull.pop();
    }
    hull.push(point);
  }
  return hull.slice(0, -1);
}

/** The corners of the convex hull (Andrew's monotone chain, 1979). */
function convexHull(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a.x - b.x || a.y - b.y);
  return [...halfHull(sorted), ...halfHull(sorted.reverse())];
}

/** The rectangle around points whose width lies along `angle`. */
function boxAlong(points: readonly Point[], angle: number): TiltedBox {
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    const [along, across] = [x * cosine + y * sine, y * cosine - x * sine];
    [left, right] = [Math.min(left, along), Math.max(right, along)];
    [top, bottom] = [Math.min(top, across), Math.max(bottom, across)];
  }
  const [along, across] = [(left + right) / 2, (top + bottom) / 2];
  return {
    x: along * cosine - across * sine,
    y: along * sine + across * cosine,
    width: right - left,
    height: bottom - top,
    angle,
  };
}

/** The rectangle of least area around points: one of its sides lies on a side of the hull. @param points at least one */
export function tiltedBoxAround(points: readonly Point[]): TiltedBox {
  const hull = convexHull(points);
  let best = boxAlong(hull.length === 0 ? points : hull, 0);
  for (const [at, point] of hull.entries()) {
    const next = hull[(at + 1) % hull.length] ?? point;
    const side = Math.atan2(next.y - point.y, next.x - point.x);
    const box = boxAlong(hull, side - Math.round(side / QUARTER) * QUARTER);
    if (box.width * box.height < best.width * best.height) best = box;
  }
  return best;
}
