/** The points of one path after the other, in the same arrays: a drawing has tens of thousands of them. */
import type { Box } from "../../../ports/layout.ts";
import { MAX_PATH_SEGMENTS } from "./path-shapes.ts";

/** The start of a subpath, the end of a straight line, or the end or a control point of a curve. */
type PointKind = "start" | "line" | "curve";

export class PathPoints {
  /** Every segment has one point, and may close its subpath with another. */
  readonly x = new Float64Array(2 * MAX_PATH_SEGMENTS);
  readonly y = new Float64Array(2 * MAX_PATH_SEGMENTS);
  /** 1 for points of curves. */
  readonly curved = new Uint8Array(2 * MAX_PATH_SEGMENTS);
  /** 1 for the first point of a subpath. */
  readonly starts = new Uint8Array(2 * MAX_PATH_SEGMENTS);
  length = 0;
  #start = -1;

  /** Begins another path. */
  clear(): void {
    this.length = 0;
    this.#start = -1;
  }

  /** Adds a point; one that no subpath begins with is left out. */
  add(x: number, y: number, kind: PointKind): void {
    if (kind === "start") this.#start = this.length;
    if (this.#start < 0 || this.length >= this.x.length) return;
    this.x[this.length] = x;
    this.y[this.length] = y;
    this.curved[this.length] = kind === "curve" ? 1 : 0;
    this.starts[this.length] = kind === "start" ? 1 : 0;
    this.length += 1;
  }

  /** Adds the line back to the start of the subpath. */
  close(): void {
    if (this.#start >= 0) this.add(this.x[this.#start] ?? 0, this.y[this.#start] ?? 0, "line");
  }

  /** Index behind the last point of the subpath that begins at `from`. */
  subpathEnd(from: number): number {
    let to = from + 1;
    while (to < this.length && this.starts[to] === 0) to += 1;
    return to;
  }

  bounds(from: number, to: number): Box {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let at = from; at < to; at += 1) {
      const [x = 0, y = 0] = [this.x[at], this.y[at]];
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    return { left, top, right, bottom };
  }
}
