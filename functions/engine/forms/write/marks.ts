/** Marks of checked boxes and chosen radio buttons, drawn as paths: they need no font. */

/** Share of the smaller side of a box that a mark fills. */
const MARK_SHARE = 0.8;
/** Width of the check mark's line, in sides of the mark. */
const LINE_SHARE = 0.14;
/** Corners of the check mark, in sides of the mark from its lower left corner. */
const CHECK_CORNERS = [
  [0.1, 0.48],
  [0.38, 0.16],
  [0.92, 0.86],
] as const;
/** Share of the mark's side that is the radius of a radio button's dot. */
const DOT_RADIUS_SHARE = 0.36;
/** Distance of control points that makes four Bézier curves a circle, in radii. */
const CIRCLE_CONTROL = 0.5523;

const round = (value: number): number => Math.round(value * 1000) / 1000;
const points = (values: readonly number[]): string => values.map(round).join(" ");

/** Operators of a check mark in the middle of a box, in points. */
export function checkMark(width: number, height: number): string {
  const side = Math.min(width, height) * MARK_SHARE;
  const [left, bottom] = [(width - side) / 2, (height - side) / 2];
  const corners = CHECK_CORNERS.map(([x, y]) => points([left + x * side, bottom + y * side]));
  return `q 0 G ${round(side * LINE_SHARE)} w 1 J 1 j ${corners[0]} m ${corners[1]} l ${corners[2]} l S Q`;
}

/** Operators of a dot in the middle of a box, in points. */
export function radioDot(width: number, height: number): string {
  const radius = Math.min(width, height) * MARK_SHARE * DOT_RADIUS_SHARE;
  const [x, y, c] = [width / 2, height / 2, radius * CIRCLE_CONTROL];
  const curves = [
    [x + radius, y + c, x + c, y + radius, x, y + radius],
    [x - c, y + radius, x - radius, y + c, x - radius, y],
    [x - radius, y - c, x - c, y - radius, x, y - radius],
    [x + c, y - radius, x + radius, y - c, x + radius, y],
  ];
  return `q 0 g ${points([x + radius, y])} m ${curves.map((curve) => `${points(curve)} c`).join(" ")} f Q`;
}
