/** A shape, what runs after what and beside what as far as the dependencies go, fitted into a limit. */
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
} & ({ kind: "one"; fitted: Fitted } | { kind: "turn" | "beside"; parts: readonly Shape[] });

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

/** The best plan of that shape that is found, with at most `limit` nodes at once. */
export function fitShape(shape: Shape, limit: number): Fitted {
  if (shape.kind === "one") return shape.fitted;
  const most = Math.min(limit, shape.width);
  const known = shape.fits.get(most);
  if (known !== undefined) return known;
  const fitted =
    shape.kind === "turn" ? inTurn(shape.parts.map((part) => fitShape(part, most))) : share(shape.parts, most);
  shape.fits.set(most, fitted);
  return fitted;
}

function inTurn(parts: readonly Fitted[]): Fitted {
  const spans = imagined((run) => sum(parts.map((part) => part.spans[run] ?? 0)));
  return { plan: series(parts.map(({ plan }) => plan)), spans };
}

/** At most so many branches at once, begun in the order of their expected length, so that the last to end are short. */
function lanes(branches: readonly Fitted[], count: number): Fitted {
  if (count >= branches.length) {
    const spans = imagined((run) => Math.max(...branches.map((branch) => branch.spans[run] ?? 0)));
    return { plan: beside(branches.map(({ plan }) => plan)), spans };
  }
  const sorted = branches.toSorted((a, b) => (b.spans[0] ?? 0) - (a.spans[0] ?? 0));
  if (count === 1) return inTurn(sorted);
  const spans = imagined((run) =>
    spanBeside(
      sorted.map((branch) => branch.spans[run] ?? 0),
      count,
    ),
  );
  return {
    plan: beside(
      sorted.map(({ plan }) => plan),
      count,
    ),
    spans,
  };
}

/** Widths from 1 up: one by one first, then in growing steps. */
function widthsUpTo(limit: number): number[] {
  const widths: number[] = [];
  for (let width = 1; width <= limit; width = Math.max(width + 1, Math.floor(width * 1.4))) widths.push(width);
  return widths;
}

/**
 * All at once where there is room; else several lanes of the same width for all, or the branch with most work beside the
 * others, each with a share of the limit.
 */
function share(parts: readonly Shape[], limit: number): Fitted {
  if (sum(parts.map(({ width }) => width)) <= limit)
    return lanes(
      parts.map((part) => fitShape(part, limit)),
      parts.length,
    );
  const options = widthsUpTo(limit).map((width) =>
    lanes(
      parts.map((part) => fitShape(part, width)),
      Math.floor(limit / width),
    ),
  );
  const [first, ...others] = parts;
  if (first === undefined || others.length === 0 || first.width === 1) return options.reduce(better);
  const rest = shapeBeside(others);
  for (const width of widthsUpTo(Math.min(limit - 1, first.width))) {
    options.push(lanes([fitShape(first, width), fitShape(rest, limit - width)], 2));
  }
  return options.reduce(better);
}
