import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { PageMaker } from "../page.ts";

const schema = parseSchema({
  type: "object",
  properties: {
    invoice_number: { type: "string" },
    invoice_date: { type: "string", format: "date" },
    total: { type: "number" },
    seller: { type: "string" },
    currency: { type: "string" },
  },
} satisfies Json);

const invoice = (page: PageMaker, number: string, date: string, net: string, total: string): PageMaker =>
  page
    .lines(1, 0.8, ["Harbour Supplies Ltd", "12 Quay Street", "Leeds LS1 4AB"])
    .text(1, 2, "INVOICE", { size: 18 })
    .text(1, 2.6, `Invoice number: ${number}`)
    .text(1, 2.9, `Invoice date: ${date}`)
    .text(1, 5, "Net total")
    .text(6, 5, `£${net}`)
    .text(1, 5.3, "Total amount due")
    .text(6, 5.3, `£${total}`);

const letter = (page: PageMaker): PageMaker =>
  page
    .lines(1, 0.8, ["Harbour Supplies Ltd", "12 Quay Street", "Leeds LS1 4AB"])
    .text(5.5, 2, "3 May 2024")
    .text(1, 3, "Dear Ms Stone,")
    .lines(1, 3.4, ["we thank you for the order that you gave us, and send you the bill for it with this letter."])
    .text(1, 5, "Yours sincerely,")
    .text(1, 5.6, "Martha Hill");

const read = (page: PageMaker): ReturnType<typeof extractOffline> =>
  extractOffline(page.layout(), { schema, granularity: "word" });

describe("a file with several documents", () => {
  it("gives what two invoices share, and null with both values where they differ", () => {
    const page = invoice(new PageMaker(), "HS-2024-071", "3 May 2024", "100.00", "120.00").newPage();
    const { result, sources } = read(invoice(page, "HS-2024-085", "9 June 2024", "50.00", "60.00"));
    expect(result).toMatchObject({ invoice_number: null, invoice_date: null, total: null, currency: "GBP" });
    const told = sources.unresolved.find(({ pointer }) => pointer === "/invoice_number");
    expect(told?.reason).toBe("several-documents");
    expect(told?.candidates?.map(({ value }) => value)).toEqual(["HS-2024-071", "HS-2024-085"]);
    expect(told?.candidates?.map(({ place }) => place?.pageAnchors[0]?.pageNumber)).toEqual([1, 2]);
  });

  it("reads the invoice behind a letter, and not the letter's date", () => {
    const page = invoice(letter(new PageMaker()).newPage(), "HS-2024-071", "7 May 2024", "100.00", "120.00");
    const { result, sources } = read(page);
    expect(result).toMatchObject({ invoice_number: "HS-2024-071", invoice_date: "2024-05-07", total: 120 });
    expect(sources.locations["/invoice_number"]?.pageAnchors[0]?.pageNumber).toBe(2);
    expect(sources.locations["/invoice_number"]?.sourceRefs[0]).toMatch(/^p2\/w/);
  });

  it("keeps the pages of one invoice together, whose number each page repeats", () => {
    const page = invoice(new PageMaker(), "HS-2024-071", "3 May 2024", "100.00", "120.00").newPage();
    const { result } = read(page.text(1, 1, "INVOICE").text(1, 1.4, "Invoice number: HS-2024-071").text(1, 2, "Terms"));
    expect(result).toMatchObject({ invoice_number: "HS-2024-071", invoice_date: "2024-05-03", total: 120 });
  });

  it("keeps a list of other invoices with the letter that names them", () => {
    const page = letter(new PageMaker())
      .newPage()
      .text(1, 1, "Open items")
      .text(1, 1.5, "HS-2024-071")
      .text(4, 1.5, "120.00");
    expect(read(page).sources.unresolved.every(({ reason }) => reason !== "several-documents")).toBe(true);
  });
});
