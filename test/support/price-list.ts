/** A price list of several pages, and a model that reads it as requested, for tests of map-reduce. */
import { answerJson, fail, type ModelReply, type SeenRequest } from "./model-server.ts";
import { drawnPdf } from "./pdf.ts";

export interface Item {
  sku: string;
  qty: number;
  price: number;
}

export interface PricePage {
  heading?: string;
  items: Item[];
  /** Additional lines. */
  lines?: string[];
}

export const item = (number: number): Item => ({ sku: `SKU-${number}`, qty: number, price: number + 0.5 });

/** One page each, with its items as rows of a table with a head. */
export const priceList = (pages: readonly PricePage[]): Promise<Uint8Array> =>
  drawnPdf(
    pages.map(({ heading, items, lines = [] }) => (page, { regular, bold }) => {
      let y = 740;
      const write = (text: string, x: number, font = regular, size = 11) => page.drawText(text, { x, y, size, font });
      if (heading !== undefined) write(heading, 50, bold, 20);
      for (const line of lines) {
        y -= 30;
        write(line, 50);
      }
      y -= 60;
      if (items.length === 0) return;
      for (const [index, head] of ["SKU", "Quantity", "Price"].entries()) write(head, 50 + 150 * index, bold);
      for (const { sku, qty, price } of items) {
        y -= 18;
        write(sku, 50);
        write(String(qty), 200);
        write(price.toFixed(2), 350);
      }
    }),
  );

export const ITEM_SCHEMA = {
  type: "object",
  properties: { sku: { type: "string" }, qty: { type: "integer" }, price: { type: "number" } },
  required: ["sku"],
};

/** The page numbers in a request. */
export const pagesOf = ({ user }: SeenRequest): number[] =>
  [...user.matchAll(/^<<<page (\d+) /gm)].map(([, number]) => Number(number));

/** A request without the text that is given as context only. */
export const withoutContext = (user: string): string =>
  user.replace(/^<<<text before these pages [\s\S]*?^<<<end of text before these pages .*$/m, "");

const itemsIn = ({ user }: SeenRequest): Item[] =>
  [...withoutContext(user).matchAll(/(SKU-\d+)[\s|]+(\d+)[\s|]+(\d+\.\d+)/g)].map(([, sku = "", qty, price]) => ({
    sku,
    qty: Number(qty),
    price: Number(price),
  }));

/**
 * Answers with the rows in a request, under the member that its schema has for them; with the header when requested.
 */
export function readsPrices(
  options: { broken?: number; list?: string; without?: string } = {},
): (request: SeenRequest) => ModelReply {
  return (request) => {
    if (options.broken !== undefined && pagesOf(request).includes(options.broken)) {
      return fail(400, { error: { message: "The request cannot be read" } });
    }
    const customer = /Customer: (\w+)/.exec(request.user)?.[1] ?? null;
    if (JSON.stringify(request.body.response_format).includes("customer") && !request.user.includes('"sku"')) {
      return answerJson({ customer });
    }
    const items = itemsIn(request).filter(({ sku }) => sku !== options.without);
    return answerJson({ [options.list ?? "records"]: items });
  };
}
