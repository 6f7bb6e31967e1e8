/** Facts of invented invoices, by seed. */
import { type Tongue, WORDS, type Words } from "./words.ts";

interface Line {
  description: string;
  quantity: number;
  unit_price: number;
  amount: number;
}

export interface Truth {
  invoice_number: string;
  issue_date: string;
  due_date: string;
  seller: string;
  buyer: string;
  currency: string;
  net_total: number;
  tax_total: number;
  gross_total: number;
  lines: Line[];
}

/** The facts of an invoice, and the way some are printed. */
export interface Facts {
  words: Words;
  truth: Truth;
  /** As printed, possibly with a form of address. */
  reader: string;
  credit: boolean;
  /** Columns of positions and article numbers before the description. */
  numbered: boolean;
  /** A second line under each description. */
  noted: boolean;
  streets: [seller: string, buyer: string];
  places: [seller: string, buyer: string];
  host: string;
}

const cents = (value: number): number => Math.round(value * 100) / 100;

/**
 * A linear congruential generator (D. H. Lehmer, with the numbers of Park and Miller): the same seed gives the same
 * invoice.
 */
function randomFrom(seed: number): (below: number) => number {
  let state = (seed * 7919 + 104_729) % 2_147_483_647;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

const TAX_RATES: Record<Tongue, number> = { en: 0.2, de: 0.19, fr: 0.2, es: 0.21, nl: 0.21 };

/** The same arguments give the same invoice. */
export function factsOf(tongue: Tongue, seed: number, credit: boolean): Facts {
  const words = WORDS[tongue];
  const random = randomFrom(seed);
  const pick = (list: readonly string[], from: number): string => list[(random(97) + from) % list.length] ?? "";
  const seller = pick(words.sellers, 0);
  const reader = pick(words.buyers, 1);
  // The form of address is not part of the name.
  const buyer = reader.replace(/^(?:Mrs|Herr|Madame|Sra\.|Mevrouw) /, "");
  const lines = words.items.slice(0, 2 + random(3)).map((description, at): Line => {
    const quantity = (1 + random(12)) * (credit ? -1 : 1);
    const unit = cents(3 + random(40_000) / 100 + at);
    return { description, quantity, unit_price: unit, amount: cents(quantity * unit) };
  });
  const net = cents(lines.reduce((sum, line) => sum + line.amount, 0));
  const tax = cents(net * TAX_RATES[tongue]);
  const [year, month, day] = [2019 + random(7), 1 + random(12), 1 + random(28)];
  const iso = (at: number): string => `${year}-${String(month).padStart(2, "0")}-${String(at).padStart(2, "0")}`;
  const dueDay = day > 14 ? day - 14 : day + 14;
  const [dueMonth, dueYear] = day > 14 ? (month === 12 ? [1, year + 1] : [month + 1, year]) : [month, year];
  const due = `${dueYear}-${String(dueMonth).padStart(2, "0")}-${String(dueDay).padStart(2, "0")}`;
  const truth: Truth = {
    invoice_number: `${["RE", "F", "INV", "2"][random(4)]}${["-", "", "/"][random(3)]}${10_000 + random(89_999)}`,
    issue_date: iso(day),
    due_date: due,
    seller,
    buyer,
    currency: words.currency,
    net_total: net,
    tax_total: tax,
    gross_total: cents(net + tax),
    lines,
  };
  const streets: [string, string] = [pick(words.streets, 0), pick(words.streets, 1)];
  const places: [string, string] = [pick(words.places, 0), pick(words.places, 1)];
  const host =
    seller
      .toLowerCase()
      .normalize("NFD")
      .replace(/[^a-z ]/g, "")
      .split(" ")[0] ?? "shop";
  const [numbered, noted] = [random(2) === 1, random(3) === 1];
  return { words, truth, reader, credit, numbered, noted, streets, places, host };
}
