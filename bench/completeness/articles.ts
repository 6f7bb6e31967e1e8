/** Contents of the rows of generated lists. */
import type { Json } from "../../functions/ports/json.ts";

export type Row = Record<string, string | number>;

/** A printed row and the page on which it begins. */
export interface TrueRow {
  page: number;
  row: Row;
  /** The section title above it, for rows printed in sections. */
  section?: string;
}

export interface ListColumn {
  name: string;
  type: "string" | "number" | "integer" | "date";
}

const PRODUCTS =
  "Hinge,Bracket,Washer,Flange,Bearing,Spindle,Gasket,Lever,Valve,Coupling,Bushing,Clamp,Rivet,Pulley".split(",");
const MATERIALS = "steel,brass,nylon,copper,rubber,zinc,aluminium,ceramic,bronze,carbon".split(",");
const FINISHES = "polished,black,galvanised,coated,threaded,slotted,hardened,anodised".split(",");

export const money = (value: number): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
export const roundToCents = (value: number): number => Math.round(value * 100) / 100;

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
  const price = roundToCents(0.5 + next() * 300);
  return {
    ...(plain ? {} : { position: at + 1 }),
    article_number: `${pick(["KD", "LM", "TX", "RS"])}-${1000 + Math.floor(next() * 9000)}`,
    description: `${pick(PRODUCTS)} ${pick(MATERIALS)} ${pick(FINISHES)} ${4 + Math.floor(next() * 60)} mm`,
    quantity,
    unit_price: price,
    amount: roundToCents(quantity * price),
  };
}

export function payment(at: number, next: () => number): Row {
  const pick = (list: readonly string[]): string => list[Math.floor(next() * list.length)] ?? "";
  const day = new Date(Date.UTC(2023, 0, 2 + Math.floor(at / 9))).toISOString().slice(0, 10);
  return {
    date: day,
    payee: `${pick(PRODUCTS)} ${pick(MATERIALS)} Trading ${pick(["Ltd", "GmbH", "SA"])}`,
    amount: roundToCents(5 + next() * 900),
  };
}

export const schemaOf = (arrays: Record<string, Json>): Json => ({
  type: "object",
  properties: arrays,
  required: Object.keys(arrays),
});
