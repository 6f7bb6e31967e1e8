import { describe, expect, it } from "vitest";
import { judgeResult, weighEvidence } from "../../../../functions/engine/confidence/judge-result.ts";
import { formEntries } from "../../../../functions/engine/forms/entries/form-entries.ts";
import { locateValues } from "../../../../functions/engine/grounding/locate-values.ts";
import { readDocument } from "../../../../functions/engine/readers/read-document.ts";
import { parseSchema } from "../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import type { Layout } from "../../../../functions/ports/layout.ts";
import { PDF } from "../../../../functions/ports/media-types.ts";
import { applicationForm } from "../../../support/application-form.ts";
import { PageMaker } from "../extraction/page.ts";

function signalsOf(layout: Layout, result: Json, pointer: string, names?: readonly string[]) {
  const { sources } = locateValues(layout, result, { granularity: "word" });
  const properties = Object.fromEntries((names ?? []).map((name) => [name, { type: "string" }]));
  const asked = names === undefined ? {} : { schema: parseSchema({ type: "object", properties }) };
  const verdict = weighEvidence({ layout, result, sources, ...asked }).verdicts.find(
    ({ leaf }) => leaf.pointer === pointer,
  );
  if (verdict === undefined) throw new Error(`${pointer} was not judged`);
  return verdict.signals;
}

describe("signalsOf, for values of one kind", () => {
  it("halves checksumHolds for an identifier with another of its kind, perhaps another party's", () => {
    const one = ["Seller: Harrow & Pike", "VAT id: DE136695976"];
    const two = [...one, "Buyer: Blue Kiln", "VAT id: FR40303265045"];
    const result = { seller: { vatId: "DE136695976" } };
    const pages = [one, two].map((lines) => new PageMaker().lines(1, 1, lines).layout());
    const [alone, among] = pages.map((layout) => signalsOf(layout, result, "/seller/vatId"));
    expect(alone?.checksumHolds).toBe(1);
    expect(among?.checksumHolds).toBe(0.5);
  });

  it("sets rows for a text over several rows", () => {
    const layout = new PageMaker().lines(1, 1, ["Copper pipe", "of the best kind"]).layout();
    expect(signalsOf(layout, { note: "Copper pipe" }, "/note").rows).toBe(0);
    expect(signalsOf(layout, { note: "Copper pipe of the best kind" }, "/note").rows).toBe(0.5);
  });

  it("sets unknown for a field of no concept that is found by its name's words", () => {
    const layout = new PageMaker().lines(1, 1, ["Kiln number: K-88", "Invoice number: R-1207"]).layout();
    const names = ["kiln_number", "invoice_number"];
    expect(signalsOf(layout, { kiln_number: "K-88" }, "/kiln_number", names).unknown).toBe(1);
    expect(signalsOf(layout, { invoice_number: "R-1207" }, "/invoice_number", names).unknown).toBe(0);
    // Nobody asked for a pair that is given as it is printed.
    expect(signalsOf(layout, { "Kiln number": "K-88" }, "/Kiln number").unknown).toBe(0);
  });

  it("sets wordy and capitals for a text that looks like a sentence or a heading, not for a party's name", () => {
    const names = ["remark", "colour", "seller"];
    const lines = ["Remark: to be kept in dry and cool places", "Colour: FOREST GREEN", "Seller: HARROW & PIKE"];
    const result = { remark: "to be kept in dry and cool places", colour: "FOREST GREEN", seller: "HARROW & PIKE" };
    const layout = new PageMaker().lines(1, 1, lines).layout();
    const [remark, colour, seller] = names.map((name) => signalsOf(layout, result, `/${name}`, names));
    expect(remark).toMatchObject({ wordy: 1, capitals: 0 });
    expect(colour).toMatchObject({ capitals: 1 });
    expect(colour?.wordy).toBeCloseTo(1 / 7);
    expect(seller).toMatchObject({ wordy: 0, capitals: 0 });
  });

  it("sets name for the name of a party", () => {
    const layout = new PageMaker().lines(1, 1, ["Seller: Harrow & Pike", "Invoice number: R-1207"]).layout();
    const result = { seller: "Harrow & Pike", invoice_number: "R-1207" };
    const [seller, number] = ["/seller", "/invoice_number"].map((pointer) => signalsOf(layout, result, pointer).name);
    expect([seller, number]).toEqual([1, 0]);
  });

  it("sets blurred to the mean doubt of the document's recognised words", () => {
    const page = new PageMaker().text(1, 1, "Invoice number: R-1207", { confidence: 1 });
    for (let at = 0; at < 3; at += 1) page.text(1, 2 + at, "Oak board", { confidence: 0.4 });
    expect(signalsOf(page.layout(), { invoice_number: "R-1207" }, "/invoice_number").blurred).toBeCloseTo(0.4, 2);
  });

  it("sets shared for two cells of a row at the same words", () => {
    const page = new PageMaker();
    for (const [at, [text = "", quantity = "", price = ""]] of [
      ["Oak board", "2", "30.00"],
      ["Desk lamp", "5", "12.50"],
    ].entries())
      page
        .text(1, 1 + at * 0.3, text)
        .text(4, 1 + at * 0.3, quantity)
        .text(6, 1 + at * 0.3, price);
    const lines = [
      { description: "Oak board", quantity: 2, unit_price: 2 },
      { description: "Desk lamp", quantity: 5, unit_price: 12.5 },
    ];
    expect(signalsOf(page.layout(), { lines }, "/lines/0/unit_price").shared).toBe(1);
    expect(signalsOf(page.layout(), { lines }, "/lines/1/unit_price").shared).toBe(0);
  });
});

describe("signalsOf, for values of forms", () => {
  it("sets entry for what fills a place of a form, not for its print", async () => {
    const bytes = await applicationForm({ filled: true, flatten: true });
    const { layout } = await readDocument(bytes, { mimeType: PDF }, formEntries);
    expect(signalsOf(layout, { surname: "Marchetti" }, "/surname").entry).toBe(1);
    expect(signalsOf(layout, { label: "Occupation" }, "/label").entry).toBe(0);
  });
});

describe("signalsOf, for cells of lists", () => {
  const rows = [
    ["Oak board", "2", "30.00", "60.00"],
    ["Desk lamp", "5", "12.50", "62.50"],
    ["Copper pipe", "1", "7.20", "7.20"],
  ] as const;
  const items = rows.map(([description, quantity, price, amount]) => ({
    description,
    quantity: Number(quantity),
    unit_price: Number(price),
    amount: Number(amount),
  }));
  function page(sum: string): Layout {
    const drawn = new PageMaker().text(6, 2.5, sum);
    for (const [at, cells] of [["Item", "Quantity", "Unit price", "Amount"], ...rows].entries())
      for (const [column, text] of cells.entries()) drawn.text(1 + column * 1.7, 1 + at * 0.3, text);
    return drawn.layout();
  }
  const of = (lines: readonly Json[], pointer: string, gross_total = 129.7) =>
    signalsOf(page(`Total: ${gross_total.toFixed(2)}`), { lines: [...lines], gross_total }, `/lines/${pointer}`);

  it("sets listHolds for all cells of a list whose amounts add up to a total", () => {
    expect([of(items, "0/description").listHolds, of(items, "1/quantity").listHolds]).toEqual([1, 1]);
    expect(of(items, "0/description", 139.7).listHolds).toBe(0);
    expect(of(items.slice(0, 2), "0/description").listHolds).toBe(0);
  });

  it("sets oddSign by the share of the column's numbers with another sign", () => {
    const changed = items.map((item, at) => (at === 1 ? { ...item, amount: -62.5 } : item));
    expect(of(changed, "1/amount").oddSign).toBeCloseTo(2 / 3);
    expect(of(changed, "0/amount").oddSign).toBeCloseTo(1 / 3);
    expect(of(items, "0/amount").oddSign).toBe(0);
  });

  it("sets oddLength for a text with many more words than those of its column, and mixed for one with an amount", () => {
    const changed = items.map((item, at) => (at === 1 ? { ...item, description: "Desk lamp 5 12.50 62.50" } : item));
    expect(of(changed, "1/description")).toMatchObject({ oddLength: 0.5, mixed: 1 });
    expect(of(changed, "0/description")).toMatchObject({ oddLength: 0, mixed: 0 });
  });
});

describe("signalsOf, for a currency", () => {
  const about = (lines: string[], currency: string) =>
    signalsOf(new PageMaker().lines(1, 1, lines).layout(), { currency, gross_total: 120 }, "/currency");

  it("sets nothing for a sign inside an amount or among words", () => {
    expect(about(["Total: £120.00"], "GBP")).toMatchObject({ borrowed: 0, cut: 0 });
    expect(about(["All amounts in EUR unless stated", "Total: 120.00"], "EUR").cut).toBe(0);
  });

  it("depends on the currencies that share the sign, and on those the page names", () => {
    const mismatch = (lines: string[], currency: string): number => about(lines, currency).mismatch;
    const total = "Total: $120.00";
    expect(mismatch(["Total: £120.00"], "GBP")).toBeLessThan(mismatch(["Seattle, WA 98109", total], "USD"));
    expect(mismatch(["Seattle, WA 98109", total], "USD")).toBeLessThan(mismatch([total], "USD"));
    expect(mismatch([total], "USD")).toBeLessThan(mismatch([total], "CAD"));
    expect(mismatch(["Ottawa ON K1P 5G4", total], "CAD")).toBe(mismatch(["Seattle, WA 98109", total], "USD"));
  });
});

describe("signalsOf, for a text", () => {
  const NAME = "Muller und Sohne";
  const text = (sample: string, confidence: number, name = NAME) => {
    const page = new PageMaker().text(1, 1, name, { confidence });
    for (let at = 0; at < 8; at += 1) page.text(1, 1.5 + at * 0.3, sample, { confidence });
    return signalsOf(page.layout(), { seller: name }, "/seller").unlettered;
  };
  const GERMAN = "Die Lieferung der bestellten Waren ist mit der Rechnung nicht bezahlt worden und wird";

  it("sets unlettered if no letters of its language were recognised", () => {
    expect(text(GERMAN, 0.9)).toBeGreaterThan(0.2);
    expect(text(GERMAN, 1)).toBe(0);
    expect(text(`${GERMAN} für Sie überprüft`, 0.9)).toBe(0);
    expect(text("The delivery of the goods that were ordered has not been paid with the invoice", 0.9)).toBe(0);
  });

  it("sets unlettered for a known confusion, even if other letters were recognised", () => {
    const known = `${GERMAN} für Sie überprüft`;
    expect(text(known, 0.9, "Petra Miiller")).toBe(1);
    expect(text(known, 1, "Petra Miiller")).toBe(0);
    expect(text(known, 0.9, "Petra Moller")).toBe(0);
    expect(text("The delivery of the goods that were ordered has not been paid for", 0.9, "Petra Miiller")).toBe(0);
  });

  it("sets cut if the text continues, except by the next part of an address", () => {
    const layout = new PageMaker().lines(1, 1, ["12 Mill Lane, San Francisco, California"]).layout();
    expect(signalsOf(layout, { seller: { city: "San Francisco" } }, "/seller/city").cut).toBe(0);
    const named = new PageMaker().lines(1, 1, ["Harrow Web Services, Incorporated"]).layout();
    expect(signalsOf(named, { seller: "Harrow Web Services" }, "/seller").cut).toBe(1);
    const placed = new PageMaker().lines(1, 1, ["Seller: Condominio Azzurro, via Anzio 15"]).layout();
    expect(signalsOf(placed, { seller: "Condominio Azzurro" }, "/seller").cut).toBe(0);
  });
});

it("signalsOf accepts a document's title as label of its number and date", () => {
  const layout = new PageMaker().lines(1, 1, ["Handelsrechnung (380) Nr. 471102 vom 05.03.2018"]).layout();
  expect(signalsOf(layout, { issue_date: "2018-03-05" }, "/issue_date")).toMatchObject({ figureNameless: 0 });
});

describe("signalsOf, for values that the document does not state", () => {
  const LINES = ["Invoice number: 2024-017", "Invoice date: 2024-03-15", "Hosting for 18 months", "Total: 120.00"];
  const layout = new PageMaker().lines(1, 1, LINES).layout();
  const stated = { invoice_number: "2024-017", invoice_date: "2024-03-15", gross_total: 120 };

  it("sets borrowed if another field has the words, with a label", () => {
    const result = { ...stated, delivery_date: "2024-03-15", order_number: "2024-017", amount_due: 120 };
    for (const pointer of ["/delivery_date", "/order_number"])
      expect([pointer, signalsOf(layout, result, pointer).borrowed]).toEqual([pointer, 1]);
    for (const pointer of ["/invoice_date", "/invoice_number"])
      expect([pointer, signalsOf(layout, result, pointer).borrowed]).toEqual([pointer, 0]);
    // The amount due is the total, since nothing was paid.
    expect(signalsOf(layout, result, "/amount_due").borrowed).toBe(0);
  });

  it("sets nameless if the field has no label, unless its form identifies it", () => {
    const result = { ...stated, number_of_employees: 18, project_name: "Hosting", seller: "Hosting" };
    expect(signalsOf(layout, result, "/number_of_employees")).toMatchObject({ figureNameless: 1, nameless: 0 });
    expect(signalsOf(layout, result, "/project_name")).toMatchObject({ figureNameless: 0, nameless: 1 });
    expect(signalsOf(layout, result, "/seller")).toMatchObject({ figureNameless: 0, nameless: 0 });
    expect(signalsOf(layout, stated, "/invoice_date")).toMatchObject({ figureNameless: 0, nameless: 0 });
    const bank = new PageMaker().lines(1, 1, ["Please pay to DE89 3704 0044 0532 0130 00"]).layout();
    expect(signalsOf(bank, { iban: "DE89 3704 0044 0532 0130 00" }, "/iban").figureNameless).toBe(0);
  });

  it("sets nameless for a column without heading in a list with headings", () => {
    const page = new PageMaker().text(1, 1, "Description").text(4, 1, "Quantity");
    page.text(1, 1.3, "Oak board").text(4, 1.3, "2").text(1, 1.6, "Desk lamp").text(4, 1.6, "5");
    const lines = [
      { description: "Oak board", quantity: 2, discount: 2 },
      { description: "Desk lamp", quantity: 5, discount: 5 },
    ];
    const of = (name: string) => signalsOf(page.layout(), { lines }, `/lines/0/${name}`);
    expect(of("discount").figureNameless).toBe(1);
    expect(of("discount").borrowed).toBeGreaterThan(of("quantity").borrowed);
    expect(of("quantity").figureNameless).toBe(0);
    const headless = new PageMaker().text(1, 1, "Oak board").text(4, 1, "2").layout();
    expect(signalsOf(headless, { lines: lines.slice(0, 1) }, "/lines/0/discount").figureNameless).toBe(0);
  });

  it("leads to a low confidence", () => {
    const result = { ...stated, delivery_date: "2024-03-15", number_of_employees: 18 };
    const { sources } = locateValues(layout, result, { granularity: "word" });
    const { locations } = judgeResult({ layout, result, sources }).sources;
    expect(locations["/delivery_date"]).toMatchObject({ evidence: { otherField: true } });
    expect(locations["/delivery_date"]?.confidence).toBeLessThan(0.7);
    expect(locations["/number_of_employees"]?.confidence).toBeLessThan(0.7);
    expect(locations["/invoice_date"]?.confidence).toBeGreaterThan(0.9);
  });
});
