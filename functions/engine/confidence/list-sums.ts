/** Lists that no heading names, whose amounts add up to a printed number, and lists with right totals. */
import { printedCents, toCents } from "../extraction/rules/amounts/printed-cents.ts";
import type { DocumentContext } from "../extraction/rules/document-context.ts";
import { amountText } from "../structure/records/amount-text.ts";
import { lazily } from "../values/lazily.ts";
import { type Check, type KnownLeaf, passedCheck } from "./check.ts";
import type { GridEvidence } from "./grid-evidence.ts";

/** Amounts whose sum is hardly printed by chance. */
const MIN_AMOUNTS = 3;
/** A passed check for each list without headings all of whose items have amounts, which add up to a printed number. */
export function checkListSums(known: readonly KnownLeaf[], grid: GridEvidence, context: DocumentContext): Check[] {
  const printed = lazily(() =>
    printedCents(context, ({ text, tokens }) => amountText(text, tokens.at(-1)?.recognised === true)),
  );
  const cells = known.filter((one) => one.leaf.item !== null && grid.cells.get(one)?.headless === true);
  return [...Map.groupBy(cells, ({ leaf }) => leaf.item?.list ?? "").values()].flatMap((list) => {
    const amounts = list.filter(({ meaning }) => meaning.concept === "line-amount");
    const items = new Set(list.map(({ leaf }) => leaf.item?.at));
    if (amounts.length < Math.max(MIN_AMOUNTS, items.size)) return [];
    const values = amounts.map(({ leaf }) => (typeof leaf.value === "number" ? leaf.value : Number.NaN));
    const sum = toCents(values.reduce((all, value) => all + value, 0));
    const pointers = amounts.map(({ leaf }) => leaf.pointer);
    return printed().has(sum) ? [passedCheck("lines-to-printed-sum", "arithmetic", pointers)] : [];
  });
}

/** Lists whose amounts add up to a total of the result: each is whole, and its items are items. */
export function wholeLists(known: readonly KnownLeaf[], checks: readonly Check[]): Set<string> {
  const summed = new Set(checks.flatMap(({ name, ok, pointers }) => (ok && name === "lines-to-total" ? pointers : [])));
  return new Set(known.flatMap(({ leaf: { item, pointer } }) => (item && summed.has(pointer) ? [item.list] : [])));
}
