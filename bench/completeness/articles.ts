import type { Json } from "../../functions/ports/json.ts";

export type Row = Record<string, string | number>;

/** A printed row and the page on which it begins. */
export interface TrueRow {
  page: number;
  row: Row;
  /** The title that it stands below, where rows are printed in sections. */
  section?: string;
}

export interface ListColumn {
  name: string;
  type: "string" | "number" | "integer" | "date";
}

const THINGS =
  "Hinge,Bracket,Washer,Flange,Bearing,Spindle,Gasket,Lever,Valve,Coupling,Bushing,Clamp,Rivet,Pulley".split(",");
const MADE = "steel,brass,nylon,copper,rubber,zinc,aluminium,ceramic,bronze,carbon".split(",");
const LOOKS = "polished,black,galvanised,coated,threaded,slotted,hardened,anodised".split(",");

export const money = (value: number): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
export const cents = (value: number): number => Math.round(value * 100) / 100;

export const itemsOf = (columns: readonly ListColumn[]): Json => ({
  type: "array",
  items: {
    type: "object",
    properties: Object.fromEntries(
      columns.map(({ name, type }) => [name, type === "date" ? { type: "string", format: "date" } : { type }]),
    ),
    required: columns.map(({ name }) => name),
  },
});

export function article(at: number, next: () => number, plain: boolean): Row {
  const pick = (list: readonly string[]): string => list[Math.floor(next() * list.length)] ?? "";
  const quantity = 1 + Math.floor(next() * 40);
  const price = cents(0.5 + next() * 300);
  return {
    ...(plain ? {} : { position: at + 1 }),
    article_number: `${pick(["KD", "LM", "TX", "RS"])}-${1000 + Math.floor(next() * 9000)}`,
    description: `${pick(THINGS)} ${pick(MADE)} ${pick(LOOKS)} ${4 + Math.floor(next() * 60)} mm`,
    quantity,
    unit_price: price,
    amount: cents(quantity * price),
  };
}

export function payment(at: number, next: () => number): Row {
  const pick = (list: readonly string[]): string => list[Math.floor(next() * list.length)] ?? "";
  const day = new Date(Date.UTC(2023, 0, 2 + Math.floor(at / 9))).toISOString().slice(0, 10);
  return {
    date: day,
    payee: `${pick(THINGS)} ${pick(MADE)} Trading ${pick(["Ltd", "GmbH", "SA"])}`,
    amount: cents(5 + next() * 900),
  };
}

export const schemaOf = (arrays: Record<string, Json>): Json => ({
  type: "object",
  properties: arrays,
  required: Object.keys(arrays),
});
