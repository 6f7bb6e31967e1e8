/** Invoices and lists generated from a seed, as PDFs with a text layer: their values are known exactly. */
import { PDFDocument, type PDFFont, type PDFPage, StandardFonts } from "@cantoo/pdf-lib";
import { composeIBAN } from "ibantools";
import { passesMod11And10 } from "../../functions/engine/confidence/check-digits.ts";
import type { Json } from "../../functions/ports/json.ts";
import { Random } from "./random.ts";
import { type Part, WORDINGS, type Wording } from "./wording.ts";

export interface Generated {
  name: string;
  bytes: Uint8Array;
  /** By the names of `truths.ts`. */
  truth: { [name: string]: Json };
}

const PAGE_WIDTH_POINTS = 595;
const PAGE_HEIGHT_POINTS = 842;
const FONT_POINTS = 10;

const roundToCents = (value: number): number => Math.round(value * 100) / 100;

/** Writes texts on an A4 page; y grows downwards. */
class Sheet {
  readonly #page: PDFPage;
  readonly #font: PDFFont;

  constructor(page: PDFPage, font: PDFFont) {
    this.#page = page;
    this.#font = font;
  }

  text(x: number, y: number, text: string, { size = FONT_POINTS, right = false } = {}): void {
    const left = right ? x - this.#font.widthOfTextAtSize(text, size) : x;
    this.#page.drawText(text, { x: left, y: PAGE_HEIGHT_POINTS - y, size, font: this.#font });
  }
}

const pad = (value: number): string => String(value).padStart(2, "0");
const isoOf = (day: Date): string => day.toISOString().slice(0, 10);

function printDate(day: Date, { date, months }: Wording): string {
  const [y, m, d] = [day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()];
  if (date === "iso") return `${y}-${pad(m)}-${pad(d)}`;
  if (date === "dots") return `${pad(d)}.${pad(m)}.${y}`;
  if (date === "slashes") return `${pad(d)}/${pad(m)}/${y}`;
  if (date === "us") return `${pad(m)}/${pad(d)}/${y}`;
  return `${d} ${months[m - 1] ?? ""} ${y}`;
}

function printNumber(value: number, { comma }: Wording, decimals = 2): string {
  const [whole = "", part] = Math.abs(value).toFixed(decimals).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, comma ? "." : ",");
  return `${value < 0 ? "-" : ""}${grouped}${part === undefined ? "" : `${comma ? "," : "."}${part}`}`;
}

const printMoney = (value: number, wording: Wording): string =>
  wording.comma ? `${printNumber(value, wording)} ${wording.sign}` : `${wording.sign}${printNumber(value, wording)}`;

const code = (random: Random): string =>
  random.pick([
    () => `${random.pick(["RE", "INV", "F", "A"])}-${random.int(2019, 2026)}-${random.int(100, 9999)}`,
    () => String(random.int(100_000, 99_999_999)),
    () => `${random.int(10, 99)}/${random.int(1000, 9999)}`,
  ])();

const iban = (random: Random): string =>
  composeIBAN({
    countryCode: "DE",
    bban: `${random.int(10_000_000, 99_999_999)}${String(random.int(0, 999_999_999)).padStart(10, "0")}`,
  }) ?? "";

function vatId(random: Random): string {
  const base = String(random.int(10_000_000, 99_999_999));
  const last = [..."0123456789"].find((digit) => passesMod11And10(base + digit)) ?? "0";
  return `DE${base}${last}`;
}

interface Line {
  description: string;
  quantity: number;
  unit_price: number;
  amount: number;
}

const linesOf = (random: Random, wording: Wording, count: number): Line[] =>
  Array.from({ length: count }, () => {
    const quantity = random.int(1, 12);
    const unit_price = roundToCents(random.chance(0.3) ? random.int(1, 90) : random.int(100, 45_000) / 100);
    return {
      description: random.pick(wording.goods),
      quantity,
      unit_price,
      amount: roundToCents(quantity * unit_price),
    };
  });

/** Labels and values at the top, in one of the usual letterhead styles. */
function writeHead(sheet: Sheet, pairs: [string, string][], random: Random): number {
  const style = random.int(0, 3);
  if (style === 0)
    pairs.forEach(([label, value], at) => {
      sheet.text(350, 120 + at * 16, `${label}: ${value}`);
    });
  if (style === 1)
    pairs.forEach(([label, value], at) => {
      sheet.text(330, 120 + at * 16, label);
      sheet.text(550, 120 + at * 16, value, { right: true });
    });
  if (style === 2)
    pairs.forEach(([label, value], at) => {
      const [column, row] = [at % 3, Math.floor(at / 3)];
      sheet.text(50 + column * 175, 230 + row * 34, label, { size: 8 });
      sheet.text(50 + column * 175, 242 + row * 34, value);
    });
  if (style === 3)
    pairs.forEach(([label, value], at) => {
      sheet.text(60 + (at % 2) * 260, 220 + Math.floor(at / 2) * 18, label);
      sheet.text(170 + (at % 2) * 260, 220 + Math.floor(at / 2) * 18, value);
    });
  return 320;
}

function writeLines(
  sheet: Sheet,
  lines: readonly Line[],
  top: number,
  wording: Wording,
  say: (part: Part) => string,
): number {
  sheet.text(50, top, say("text"));
  sheet.text(350, top, say("quantity"), { right: true });
  sheet.text(450, top, say("price"), { right: true });
  sheet.text(550, top, say("amount"), { right: true });
  lines.forEach((line, at) => {
    const y = top + 18 + at * 15;
    sheet.text(50, y, line.description);
    sheet.text(350, y, String(line.quantity), { right: true });
    sheet.text(450, y, printNumber(line.unit_price, wording), { right: true });
    sheet.text(550, y, printNumber(line.amount, wording), { right: true });
  });
  return top + 30 + lines.length * 15;
}

const STREETS = ["Hafenstr. 12", "4 Mill Lane", "Rue Haute 8", "Calle Mayor 3"];
const CITIES = ["Lünen", "Bath", "Tours", "Breda"];

/** Fields that no generated invoice prints, though a request may ask for them. */
const UNSTATED = {
  buyer_vat_id: null,
  bank_name: null,
  project_name: null,
  contract_number: null,
  shipping_cost: null,
  discount_amount: null,
  prepaid_amount: null,
  net_weight: null,
  number_of_employees: null,
  warranty_until: null,
};
const UNSTATED_OF_LINES = { article_code: null, discount: null, delivered_on: null };

async function invoice(seed: number): Promise<Generated> {
  const random = new Random(seed);
  const wording = random.pick(WORDINGS);
  const say = (part: Part): string => random.pick(wording.parts[part]);
  const document = await PDFDocument.create();
  const sheet = new Sheet(
    document.addPage([PAGE_WIDTH_POINTS, PAGE_HEIGHT_POINTS]),
    await document.embedFont(StandardFonts.Helvetica),
  );
  const [seller, buyer] = [random.pick(wording.names), random.pick(wording.names.slice(1))];
  const issued = new Date(Date.UTC(random.int(2018, 2026), random.int(0, 11), random.int(1, 28)));
  const due = new Date(issued.getTime() + random.pick([7, 10, 14, 30, 45]) * 86_400_000);
  const delivered = new Date(issued.getTime() - random.int(1, 20) * 86_400_000);
  const lines = linesOf(random, wording, random.int(2, 12));
  const sign = random.chance(0.1) ? -1 : 1;
  if (sign < 0) for (const line of lines) [line.quantity, line.amount] = [-line.quantity, -line.amount];
  const net = roundToCents(lines.reduce((sum, { amount }) => sum + amount, 0));
  const rate = { en: wording.currency === "USD" ? 8 : 20, de: 19, fr: 20, nl: 21, es: 21 }[wording.language] ?? 20;
  const tax = roundToCents((net * rate) / 100);
  const gross = roundToCents(net + tax);
  const number = code(random);
  const account = iban(random);
  const vat = vatId(random);
  const customer = String(random.int(1000, 99_999));
  // Not every invoice states due date, account or tax.
  const [hasDue, hasTax, hasAccount, hasVat] = [0.75, 0.8, 0.8, 0.8].map((share) => random.chance(share));
  const pairs: [string, string][] = [
    [say("number"), number],
    [say("date"), printDate(issued, wording)],
    [say("customer"), customer],
  ];
  if (hasDue) pairs.push([say("due"), printDate(due, wording)]);
  const order = random.chance(0.6) ? code(random) : null;
  if (order !== null) pairs.push([say("order"), order]);
  const hasDelivery = random.chance(0.5);
  if (hasDelivery) pairs.push([say("delivered"), printDate(delivered, wording)]);
  const [street, city] = [random.pick(STREETS), random.pick(CITIES)];
  sheet.text(50, 50, seller, { size: 16 });
  sheet.text(50, 68, `${street}, ${random.int(10_000, 99_999)} ${city}`);
  sheet.text(50, 120, say("to"), { size: 8 });
  sheet.text(50, 134, buyer);
  sheet.text(50, 148, `${random.pick(["Am Ring 7", "91 High Street", "Place Verte 2"])}`);
  sheet.text(50, 200, say("title"), { size: 14 });
  const below = writeLines(sheet, lines, writeHead(sheet, pairs, random), wording, say);
  const totals: [Part, number][] = [];
  if (hasTax) totals.push(["net", net], ["tax", tax]);
  totals.push(["gross", gross]);
  totals.forEach(([part, value], at) => {
    sheet.text(380, below + at * 16, say(part));
    sheet.text(550, below + at * 16, printMoney(value, wording), { right: true });
  });
  sheet.text(50, below + 80, say("thanks"));
  const foot: string[] = [];
  if (hasAccount) foot.push(`${say("iban")}: ${account.replace(/(.{4})(?=.)/g, "$1 ")}`);
  if (hasVat) foot.push(`${say("vat")}: ${vat}`);
  sheet.text(50, 800, foot.join("   "), { size: 8 });
  return {
    name: `invoice ${seed} (${wording.language})`,
    bytes: await document.save(),
    truth: {
      invoice_number: number,
      issue_date: isoOf(issued),
      due_date: hasDue ? isoOf(due) : null,
      seller,
      buyer,
      currency: wording.currency,
      net_total: hasTax ? net : null,
      tax_total: hasTax ? tax : null,
      gross_total: gross,
      iban: hasAccount ? account : null,
      seller_vat_id: hasVat ? vat : null,
      customer_number: customer,
      purchase_order_number: order,
      delivery_date: hasDelivery ? isoOf(delivered) : null,
      seller_street: street,
      seller_city: city,
      ...UNSTATED,
      lines: lines.map((line) => ({ ...line, ...UNSTATED_OF_LINES })),
    },
  };
}

/** A list of a page or two: a running number, words, dates, amounts of either sign. */
async function list(seed: number): Promise<Generated> {
  const random = new Random(seed);
  const wording = random.pick(WORDINGS);
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const first = random.int(1, 9000);
  const rows = Array.from({ length: random.int(30, 70) }, (_, at) => ({
    entry: first + at,
    booked: isoOf(new Date(Date.UTC(2024, 0, 1 + at + random.int(0, 2)))),
    reference: code(random),
    party: random.pick(wording.names),
    amount: roundToCents((random.chance(0.3) ? -1 : 1) * (random.int(100, 300_000) / 100)),
  }));
  const columns: [keyof (typeof rows)[number], string, number, boolean][] = [
    ["entry", random.pick(["Entry", "No.", "#"]), 80, true],
    ["booked", random.pick(["Booked", "Date", "Day"]), 100, false],
    ["reference", random.pick(["Reference", "Document", "Ref"]), 190, false],
    ["party", random.pick(["Party", "Name", "Payee"]), 300, false],
    ["amount", random.pick(["Amount", "Value"]), 550, true],
  ];
  for (let from = 0; from < rows.length; from += 45) {
    const sheet = new Sheet(document.addPage([PAGE_WIDTH_POINTS, PAGE_HEIGHT_POINTS]), font);
    for (const [, label, x, right] of columns) sheet.text(x, 60, label, { right });
    rows.slice(from, from + 45).forEach((row, at) => {
      for (const [name, , x, right] of columns) {
        const value = row[name];
        const text =
          name === "amount"
            ? printNumber(Number(value), wording)
            : name === "booked"
              ? printDate(new Date(value), wording)
              : String(value);
        sheet.text(x, 78 + at * 15, text, { right });
      }
    });
  }
  return { name: `list ${seed} (${wording.language})`, bytes: await document.save(), truth: { entries: rows } };
}

/** @param invoices number of invoices @param lists number of lists */
export async function* generateDocuments(invoices: number, lists: number): AsyncGenerator<Generated> {
  for (let seed = 1; seed <= invoices; seed += 1) yield invoice(seed);
  for (let seed = 1; seed <= lists; seed += 1) yield list(seed + 10_000);
}
