/** Lists without column headings: services with their amounts and the parts of these, and a till receipt. */
import type { Json } from "../../functions/ports/json.ts";
import { article, itemsOf, money, roundToCents, type TrueRow } from "./articles.ts";
import { BOTTOM_POINTS, LINE_POINTS, type Typesetter } from "./typeset.ts";

interface PrintedLists {
  truth: Record<string, TrueRow[]>;
  items: Record<string, Json>;
}

/** Begins a new page if that many lines do not fit. */
function makeRoom(set: Typesetter, lines: number): void {
  if (set.y - (lines - 1) * LINE_POINTS < BOTTOM_POINTS) set.begin("Statement of services");
}

function setPair(set: Typesetter, label: string, value: number, indent: number): void {
  set.text(label, indent, set.y);
  set.text(`$${money(value)}`, 550, set.y, { right: true });
  set.y -= LINE_POINTS;
}

/** Every second service has its amount broken down below, further in. */
export function setLabelledAmounts(set: Typesetter, count: number, next: () => number): PrintedLists {
  const services: TrueRow[] = [];
  let total = 0;
  for (let at = 0; at < count; at += 1) {
    const { description = "", amount = 0 } = article(at, next, true);
    const parts = at % 2 === 0;
    makeRoom(set, parts ? 3 : 1);
    setPair(set, String(description), Number(amount), 60);
    services.push({ page: set.page, row: { service: description, amount } });
    total += Number(amount);
    if (!parts) continue;
    const part = roundToCents(Number(amount) * next());
    setPair(set, "Usage", part, 72);
    setPair(set, "Support", roundToCents(Number(amount) - part), 72);
  }
  makeRoom(set, 1);
  setPair(set, "Total for this statement", roundToCents(total), 50);
  const columns = [
    { name: "service", type: "string" },
    { name: "amount", type: "number" },
  ] as const;
  return { truth: { services }, items: { services: itemsOf(columns) } };
}

/**
 * A till receipt in one column of lines: description, article number with quantity and price, and the amount on a line
 * of its own.
 */
export function setTillReceipt(set: Typesetter, count: number, next: () => number): PrintedLists {
  const articles: TrueRow[] = [];
  let total = 0;
  for (let at = 0; at < count; at += 1) {
    const { description = "", article_number = "", quantity = 0, unit_price = 0, amount = 0 } = article(at, next, true);
    const lines = [String(description), `${article_number} ${quantity} @ $${money(Number(unit_price))}`];
    if (at % 3 === 0) lines.splice(1, 0, "with test certificate");
    makeRoom(set, lines.length + 1);
    for (const line of [...lines, `$${money(Number(amount))}`]) {
      set.text(line, 50, set.y);
      set.y -= LINE_POINTS;
    }
    articles.push({ page: set.page, row: { article_number, quantity, unit_price, amount } });
    total += Number(amount);
  }
  makeRoom(set, 1);
  set.text(`SUBTOTAL $${money(roundToCents(total))}`, 50, set.y);
  const columns = [
    { name: "article_number", type: "string" },
    { name: "quantity", type: "integer" },
    { name: "unit_price", type: "number" },
    { name: "amount", type: "number" },
  ] as const;
  return { truth: { articles }, items: { articles: itemsOf(columns) } };
}
