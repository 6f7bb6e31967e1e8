import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { findLabels, findStemLabels } from "../../../../../functions/engine/extraction/rules/find-labels.ts";
import { candidatesFor } from "../../../../../functions/engine/extraction/rules/value-candidates.ts";
import type { Reader } from "../../../../../functions/engine/extraction/rules/value-reader.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import { viewDocument } from "../../../../../functions/engine/structure/view/document-view.ts";
import { leadingCode } from "../../../../../functions/engine/values/codes.ts";
import { labelKey } from "../../../../../functions/engine/values/label-words.ts";
import { LabelIndex } from "../../../../../functions/engine/values/vocabulary/label-index.ts";
import { DOCUMENT_LABELS } from "../../../../../functions/engine/values/vocabulary/vocabulary.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { PageMaker } from "../page.ts";

const found = (text: string): [string, string][] => {
  const view = viewDocument(new PageMaker().text(1, 1, text).layout());
  return [...findLabels(view, DOCUMENT_LABELS).bySegment.values()].flat().map((hit) => [
    hit.concept,
    hit.segment.tokens
      .slice(hit.from, hit.to)
      .map((token) => token.text)
      .join(" "),
  ]);
};

describe("findLabels", () => {
  it.each<[string, [string, string][]]>([
    ["Invoice No.: 12", [["invoice-number", "Invoice No.:"]]],
    ["Rechnungs-Nr. 12", [["invoice-number", "Rechnungs-Nr."]]],
    ["Invoice Date : 1/2/2024", [["issue-date", "Invoice Date :"]]],
    ["Total net 5.00", [["net-total", "Total net"]]],
    ["zzgl. 19 % MwSt. 5,00", [["tax-total", "zzgl. 19 % MwSt."]]],
    ["VAT No: GB123", [["vat-id", "VAT No:"]]],
    ["Nr:7", []],
    ["Szállító/Sold by Minta", [["seller", "Szállító/Sold by"]]],
    ["Számla kelte / Invoice date 1/2/2024", [["issue-date", "Számla kelte / Invoice date"]]],
    ["IBAN:DE89", [["iban", "IBAN:"]]],
    ["Receipt # No.: 12", [["receipt-number", "Receipt # No.:"]]],
    ["VAT (22 %) 5.00", [["tax-total", "VAT"]]],
    [
      "Issued, according to Article 106 of the Act: 1/2/2024",
      [["issue-date", "Issued, according to Article 106 of the Act:"]],
    ],
    ["nothing to see", []],
  ])("%j", (text, hits) => {
    expect(found(text)).toEqual(hits);
  });

  it("separates two labels of one line", () => {
    expect(found("Kundennr.: 5 Rechnungsdatum: 1.2.2024").map(([concept]) => concept)).toEqual([
      "customer-number",
      "issue-date",
    ]);
  });
});

describe("findStemLabels", () => {
  it("matches words in another order and inflection, with one more word", () => {
    const view = viewDocument(
      new PageMaker()
        .text(1, 1, "Method of shipping: sea")
        .text(1, 2, "Shipping methods used: air")
        .text(1, 3, "We ship by any method that you like, within reason")
        .layout(),
    );
    const hits = findStemLabels(view, [{ concept: "own:/shipping_method", stems: ["shipp", "method"] }]);
    expect(hits.map((hit) => hit.segment.row)).toEqual([0, 1]);
  });
});

const codes: Reader = {
  kind: "value",
  read(text) {
    const span = leadingCode(text);
    return span === null ? [] : [{ start: span.start, end: span.end, value: span.text, fit: 1 }];
  },
};

function scores(draw: (page: PageMaker) => void): Map<unknown, number> {
  const page = new PageMaker();
  draw(page);
  const view = viewDocument(page.layout());
  const labels = findLabels(
    view,
    new LabelIndex(
      new Map([
        [labelKey("Job number"), [{ concept: "job", strength: 1 }]],
        [labelKey("Date"), [{ concept: "date", strength: 1 }]],
      ]),
    ),
  );
  return new Map(
    candidatesFor(labels.byConcept.get("job") ?? [], view, labels, codes).map((candidate) => [
      candidate.value,
      candidate.score,
    ]),
  );
}

describe("candidatesFor", () => {
  it("finds values behind, right of and below a label", () => {
    expect([...scores((page) => page.text(1, 1, "Job number: A-1")).keys()]).toEqual(["A-1"]);
    expect([...scores((page) => page.text(1, 1, "Job number").text(3, 1, "A-2")).keys()]).toEqual(["A-2"]);
    expect([...scores((page) => page.text(1, 1, "Job number").text(1, 1.2, "A-3")).keys()]).toEqual(["A-3"]);
  });
  it("prefers near values and labels with colons", () => {
    const both = scores((page) => page.text(1, 1, "Job number:").text(3, 1, "A-1").text(1, 1.2, "B-2"));
    expect(both.get("A-1")).toBeGreaterThan(both.get("B-2") ?? 0);
  });
  it("stops at the next label", () => {
    expect(scores((page) => page.text(1, 1, "Job number").text(3, 1, "Date").text(5, 1, "A-1")).size).toBe(0);
    expect(scores((page) => page.text(1, 1, "Job number").text(1, 1.2, "Date: 7")).size).toBe(0);
  });
  it("reads a header row above its values", () => {
    const row = scores((page) =>
      page.text(1, 1, "Date").text(3, 1, "Job number").text(1, 1.2, "1/2/2024").text(3, 1.2, "A-9"),
    );
    expect([...row.keys()]).toEqual(["A-9"]);
  });
  it("does not look across the page", () => {
    expect(scores((page) => page.text(1, 1, "Job number").text(4, 1.2, "A-1")).size).toBe(0);
    expect(scores((page) => page.text(1, 1, "Job number").text(1, 4, "A-1")).size).toBe(0);
  });
});

describe("a label repeated on one endless line", () => {
  it("takes time linear in its length", () => {
    const time = (count: number): number => {
      const page = new PageMaker().text(1, 1, "Total ".repeat(count).trim());
      const layout = page.layout();
      const start = performance.now();
      extractOffline(layout, {
        schema: parseSchema({
          type: "object",
          properties: { total: { type: "number" }, number: { type: "string" } },
        }),
        granularity: "auto",
      });
      return performance.now() - start;
    };
    time(1000);
    const [some, more] = [time(2000), time(16_000)];
    // Eight times the words; quadratic would be sixty-four.
    expect(more / some).toBeLessThan(32);
  });
});

describe("numbers and dates of documents", () => {
  const schema: Json = {
    type: "object",
    properties: {
      invoice_number: { type: "string" },
      issue_date: { type: "string", format: "date" },
      gross_total: { type: "number" },
      currency: { type: "string" },
    },
  };
  const read = (...lines: string[]): Json => {
    const page = new PageMaker();
    lines.forEach((line, at) => {
      page.text(1, 1 + at * 0.4, line);
    });
    return extractOffline(page.layout(), { schema: parseSchema(schema), granularity: "word" }).result;
  };

  it("take a number of the month for a number, not for a date", () => {
    expect(read("Invoice", "Invoice number: 2/11/2023", "Date: 30/11/2023")).toMatchObject({
      invoice_number: "2/11/2023",
      issue_date: "2023-11-30",
    });
  });

  it("take a receipt's number where there is no invoice's, and the date with a time", () => {
    expect(read("RECEIPT", "Receipt no. 54/7500", "26 Feb 2016 15:20", "Valid until 31/05/18")).toMatchObject({
      invoice_number: "54/7500",
      issue_date: "2016-02-26",
    });
  });

  it("skip the date inside of a total's label", () => {
    expect(read("Facture no. 12", "Total TTC du 12/05/2024 : 310,00 €")).toMatchObject({ gross_total: 310 });
  });

  it("read the currency of a heading, and threes of digits as thousands", () => {
    const lines = ["Invoice no. 12", "Rice 27.500", "Tea 17.500", "Total/€ 45.000"];
    expect(read(...lines)).toMatchObject({ gross_total: 45000, currency: "EUR" });
  });
});
