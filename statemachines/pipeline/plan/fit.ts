/** Fits a shape, the series and parallel structure of the dependencies, into a limit of concurrent nodes. */

import { durationFactor, sampleRuns } from "./duration-samples.ts";
import type { Effort } from "./effort.ts";
import { parallelSpan } from "./measures.ts";
import { nodePlan, type Plan, parallelPlan, seriesPlan } from "./plan.ts";

/** A plan, and its duration in each of the sampled runs. */
export interface Fitted {
  plan: Plan;
  spans: readonly number[];
}

export type Shape = {
  /** The most nodes that run at once without a limit. */
  width: number;
  /** In seconds. */
  work: number;
  /** Known results by limit. */
  fits: Map<number, Fitted>;
} & (
  | { kind: "node"; fitted: Fitted }
  | { kind: "series"; parts: readonly Shape[] }
  /** `rest` is all but the first part, kept so that it is fitted once. */
  | { kind: "parallel"; parts: readonly Shape[]; rest?: Shape }
);

type ParallelShape = Extract<Shape, { kind: "parallel" }>;

/** Fixed cost of trying a plan; one branch costs 1. */
const PLAN_OVERHEAD_OPERATIONS = 10;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const costOf = ({ spans }: Fitted): number => sum(spans);
const cheaperOf = (best: Fitted, other: Fitted): Fitted => (costOf(other) < costOf(best) ? other : best);

/** @param seconds the node's expected duration */
export const nodeShape = (node: number, seconds: number): Shape => ({
  kind: "node",
  width: 1,
  work: seconds,
  fits: new Map(),
  fitted: { plan: nodePlan(node), spans: sampleRuns((run) => seconds * durationFactor(node, run)) },
});

export function seriesShape(parts: readonly Shape[]): Shape {
  const flat = parts.flatMap((part) => (part.kind === "series" ? part.parts : [part]));
  const width = Math.max(...flat.map((part) => part.width));
  return { kind: "series", parts: flat, width, work: sum(flat.map(({ work }) => work)), fits: new Map() };
}

/** The branch with most work first. */
export function parallelShape(parts: readonly Shape[]): Shape {
  const flat = parts
    .flatMap((part) => (part.kind === "parallel" ? part.parts : [part]))
    .sort((a, b) => b.work - a.work);
  const width = sum(flat.map((part) => part.width));
  return { kind: "parallel", parts: flat, width, work: sum(flat.map(({ work }) => work)), fits: new Map() };
}

/** The limits of fitting. */
export interface FitBounds {
  /** The most nodes at once. */
  limit: number;
  effort: Effort;
}

/** The best plan of the shape found within the remaining effort, with at most `limit` nodes at once. */
export function fitShape(shape: Shape, { limit, effort }: FitBounds): Fitted {
  if (shape.kind === "node") return shape.fitted;
  const room = { limit: Math.min(limit, shape.width), effort };
  const known = shape.fits.get(room.limit);
  if (known !== undefined) return known;
  const fitted = shape.kind === "series" ? fitSeries(fitAll(shape.parts, room), effort) : fitParallel(shape, room);
  shape.fits.set(room.limit, fitted);
  return fitted;
}

const fitAll = (parts: readonly Shape[], room: FitBounds): Fitted[] => parts.map((part) => fitShape(part, room));

function fitSeries(parts: readonly Fitted[], effort: Effort): Fitted {
  effort.spend(PLAN_OVERHEAD_OPERATIONS + parts.length);
  const spans = sampleRuns((run) => sum(parts.map((part) => part.spans[run] ?? 0)));
  return { plan: seriesPlan(parts.map(({ plan }) => plan)), spans };
}

/** At most `count` branches at once, the longest expected first, so that short ones end last. */
function fitLanes(branches: readonly Fitted[], count: number, effort: Effort): Fitted {
  const places = Math.min(count, branches.length);
  const fits = places === branches.length;
  const sorted = fits ? branches : branches.toSorted((a, b) => (b.spans[0] ?? 0) - (a.spans[0] ?? 0));
  if (places === 1) return fitSeries(sorted, effort);
  effort.spend(PLAN_OVERHEAD_OPERATIONS + branches.length * (fits ? 1 : 2 + places));
  const plans = sorted.map(({ plan }) => plan);
  const spans = sampleRuns((run) =>
    parallelSpan(
      sorted.map((branch) => branch.spans[run] ?? 0),
      count,
    ),
  );
  return { plan: parallelPlan(plans, places), spans };
}

/** Widths from 1 up: one by one first, then in growing steps. */
function* widthsUpTo(limit: number): Generator<number> {
  for (let width = 1; width <= limit; width = Math.max(width + 1, Math.floor(width * 1.4))) yield width;
}

/**
 * All branches at once where there is room. Otherwise the better of lanes of equal width, and the branch with most work
 * beside the others, each with a share of the limit.
 */
function fitParallel(shape: ParallelShape, { limit, effort }: FitBounds): Fitted {
  const { parts } = shape;
  if (shape.width <= limit) return fitLanes(fitAll(parts, { limit, effort }), parts.length, effort);
  // Narrow lanes are always tried; the others cost effort.
  let best = fitLanes(fitAll(parts, { limit: 1, effort }), limit, effort);
  for (const width of widthsUpTo(limit)) {
    if (width === 1) continue;
    if (effort.isSpent) return best;
    best = cheaperOf(best, fitLanes(fitAll(parts, { limit: width, effort }), Math.floor(limit / width), effort));
  }
  const [first, ...others] = parts;
  if (first === undefined || others.length === 0 || first.width === 1) return best;
  shape.rest ??= parallelShape(others);
  for (const width of widthsUpTo(Math.min(limit - 1, first.width))) {
    if (effort.isSpent) return best;
    const both = [fitShape(first, { limit: width, effort }), fitShape(shape.rest, { limit: limit - width, effort })];
    best = cheaperOf(best, fitLanes(both, 2, effort));
  }
  return best;
}
