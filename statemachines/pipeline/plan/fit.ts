/** A shape, what runs after what and beside what as far as the dependencies go, fitted into a limit. */
import type { Effort } from "./effort.ts";
import { imagined, luckOf } from "./luck.ts";
import { beside, one, type Plan, series, spanBeside } from "./plan.ts";

/** A plan, and how long it takes in each of the imagined runs. */
export interface Fitted {
  plan: Plan;
  spans: readonly number[];
}

export type Shape = {
  /** The most nodes that it runs at once when nothing holds it back. */
  width: number;
  /** Work, in seconds. */
  work: number;
  /** By limit. */
  fits: Map<number, Fitted>;
} & (
  | { kind: "one"; fitted: Fitted }
  | { kind: "turn"; parts: readonly Shape[] }
  /** `rest` is all but the first part, once that is asked for: made anew each time, it would be fitted anew each time. */
  | { kind: "beside"; parts: readonly Shape[]; rest?: Shape }
);

type Beside = Extract<Shape, { kind: "beside" }>;

/** Of a plan that is tried, whatever its size: in the cost of one of its branches. */
const OVERHEAD = 10;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const costOf = ({ spans }: Fitted): number => sum(spans);
const better = (best: Fitted, other: Fitted): Fitted => (costOf(other) < costOf(best) ? other : best);

/** @param seconds that the node is expected to take */
export const shapeOf = (node: number, seconds: number): Shape => ({
  kind: "one",
  width: 1,
  work: seconds,
  fits: new Map(),
  fitted: { plan: one(node), spans: imagined((run) => seconds * luckOf(node, run)) },
});

export function shapeInTurn(parts: readonly Shape[]): Shape {
  const flat = parts.flatMap((part) => (part.kind === "turn" ? part.parts : [part]));
  const width = Math.max(...flat.map((part) => part.width));
  return { kind: "turn", parts: flat, width, work: sum(flat.map(({ work }) => work)), fits: new Map() };
}

/** The branch with most work first. */
export function shapeBeside(parts: readonly Shape[]): Shape {
  const flat = parts.flatMap((part) => (part.kind === "beside" ? part.parts : [part])).sort((a, b) => b.work - a.work);
  const width = sum(flat.map((part) => part.width));
  return { kind: "beside", parts: flat, width, work: sum(flat.map(({ work }) => work)), fits: new Map() };
}

/** What fitting needs besides the shape. */
export interface Room {
  /** The most nodes at once. */
  limit: number;
  effort: Effort;
}

/** The best plan of that shape that is found with the effort that is left, with at most `limit` nodes at once. */
export function fitShape(shape: Shape, { limit, effort }: Room): Fitted {
  if (shape.kind === "one") return shape.fitted;
  const room = { limit: Math.min(limit, shape.width), effort };
  const known = shape.fits.get(room.limit);
  if (known !== undefined) return known;
  const fitted = shape.kind === "turn" ? inTurn(fitAll(shape.parts, room), effort) : share(shape, room);
  shape.fits.set(room.limit, fitted);
  return fitted;
}

const fitAll = (parts: readonly Shape[], room: Room): Fitted[] => parts.map((part) => fitShape(part, room));

function inTurn(parts: readonly Fitted[], effort: Effort): Fitted {
  effort.spend(OVERHEAD + parts.length);
  const spans = imagined((run) => sum(parts.map((part) => part.spans[run] ?? 0)));
  return { plan: series(parts.map(({ plan }) => plan)), spans };
}

/** At most so many branches at once, begun in the order of their expected length, so that the last to end are short. */
function lanes(branches: readonly Fitted[], count: number, effort: Effort): Fitted {
  const places = Math.min(count, branches.length);
  const fits = places === branches.length;
  const sorted = fits ? branches : branches.toSorted((a, b) => (b.spans[0] ?? 0) - (a.spans[0] ?? 0));
  if (places === 1) return inTurn(sorted, effort);
  effort.spend(OVERHEAD + branches.length * (fits ? 1 : 2 + places));
  const plans = sorted.map(({ plan }) => plan);
  const spans = imagined((run) =>
    spanBeside(
      sorted.map((branch) => branch.spans[run] ?? 0),
      count,
    ),
  );
  return { plan: beside(plans, places), spans };
}

/** Widths from 1 up: one by one first, then in growing steps. */
function* widthsUpTo(limit: number): Generator<number> {
  for (let width = 1; width <= limit; width = Math.max(width + 1, Math.floor(width * 1.4))) yield width;
}

/**
 * All at once where there is room; else several lanes of the same width for all, or the branch with most work beside the
 * others, each with a share of the limit.
 */
function share(shape: Beside, { limit, effort }: Room): Fitted {
  const { parts } = shape;
  if (shape.width <= limit) return lanes(fitAll(parts, { limit, effort }), parts.length, effort);
  // Narrow lanes are made in any case; whatever else costs effort.
  let best = lanes(fitAll(parts, { limit: 1, effort }), limit, effort);
  for (const width of widthsUpTo(limit)) {
    if (width === 1) continue;
    if (effort.isSpent) return best;
    best = better(best, lanes(fitAll(parts, { limit: width, effort }), Math.floor(limit / width), effort));
  }
  const [first, ...others] = parts;
  if (first === undefined || others.length === 0 || first.width === 1) return best;
  shape.rest ??= shapeBeside(others);
  for (const width of widthsUpTo(Math.min(limit - 1, first.width))) {
    if (effort.isSpent) return best;
    const both = [fitShape(first, { limit: width, effort }), fitShape(shape.rest, { limit: limit - width, effort })];
    best = better(best, lanes(both, 2, effort));
  }
  return best;
}
