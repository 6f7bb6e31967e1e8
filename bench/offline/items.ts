/** Line items: asked for under the names that the truth gives them, compared cell by cell. */
import type { Json } from "../../functions/core/ports.ts";
import type { Item } from "./invoices.ts";
import { isRight, type Score } from "./score.ts";

const isNumeric = (value: Json): boolean =>
  typeof value === "number" || (typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value));

/** A list of items with the properties that the truth's items have. */
export function itemSchema(lines: readonly Item[]): Json {
  const names = [...new Set(lines.flatMap((line) => Object.keys(line)))];
  const numeric = (name: string): boolean =>
    lines.every((line) => line[name] === undefined || isNumeric(line[name])) && !/code|pos|number/.test(name);
  const properties = Object.fromEntries(names.map((name) => [name, { type: numeric(name) ? "number" : "string" }]));
  return { type: "object", properties: { lines: { type: "array", items: { type: "object", properties } } } };
}

const asTyped = (stated: Json, got: Json): Json =>
  typeof got === "number" && typeof stated === "string" && isNumeric(stated) ? Number(stated) : stated;

const cellsRight = (line: Item, got: Item): number =>
  Object.entries(line).filter(([name, value]) => {
    const there = got[name] ?? null;
    return isRight(asTyped(value, there), there);
  }).length;

/** Each stated item with the item of the answer that has most of its cells, every one used once. */
export function scoreItems(lines: readonly Item[], answer: Json): Score & { items: number } {
  const got = Array.isArray(answer) ? answer.filter((one): one is Item => typeof one === "object" && one !== null) : [];
  const free = new Set(got);
  const score = { right: 0, returned: 0, stated: 0, items: 0 };
  for (const one of got) score.returned += Object.values(one).filter((value) => value !== null).length;
  for (const line of lines) {
    score.stated += Object.keys(line).length;
    const [best] = [...free].sort((a, b) => cellsRight(line, b) - cellsRight(line, a));
    const right = best === undefined ? 0 : cellsRight(line, best);
    if (best === undefined || right === 0) continue;
    free.delete(best);
    score.right += right;
    score.items += 1;
  }
  return score;
}
