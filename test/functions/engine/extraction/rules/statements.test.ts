import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { PageMaker } from "../page.ts";

const CONTRACT: Json = {
  type: "object",
  properties: {
    effective_date: { type: "string", format: "date" },
    governing_law: { type: "string" },
    notice_period: { type: "string" },
    term: { type: "string" },
    party_a: { type: "string" },
    party_b: { type: "string" },
  },
};

const read = (lines: string[], schema: Json = CONTRACT): Json =>
  extractOffline(new PageMaker().lines(1, 1, lines).layout(), { schema: parseSchema(schema), granularity: "word" })
    .result;

describe("statedFact", () => {
  it("reads what a contract states", () => {
    const result = read([
      'This Services Agreement is made on 3 May 2024 between Acme Tools Ltd (the "Supplier") and Beta Trading',
      'Ltd (the "Customer"). It has an initial term of two (2) years. Either party may end it by thirty (30) days\'',
      "prior written notice. This Agreement is governed by the laws of England and Wales, without regard to others.",
    ]);
    expect(result).toEqual({
      effective_date: "2024-05-03",
      governing_law: "England and Wales",
      notice_period: "thirty (30) days",
      term: "two (2) years",
      party_a: "Acme Tools Ltd",
      party_b: "Beta Trading Ltd",
    });
  });

  it("reads it in German", () => {
    const result = read([
      "Der Vertrag tritt am 1. Juni 2024 in Kraft und kann mit einer Frist von drei Monaten gekündigt werden.",
      "Auf diesen Vertrag ist deutsches Recht anzuwenden, soweit das Gesetz es nicht anders bestimmt.",
    ]);
    expect(result).toMatchObject({
      effective_date: "2024-06-01",
      notice_period: "drei Monaten",
      governing_law: "deutsches Recht",
    });
  });

  it("ends a name where its sentence goes on in small letters", () => {
    const lines = [
      "The name of the organization shall be Harbour Club and shall be entered in the register of the town.",
      "The members meet in the spring of each year in the hall, and the chair opens the assembly.",
    ];
    expect(read(lines, { type: "object", properties: { organization: { type: "string" } } })).toEqual({
      organization: "Harbour Club",
    });
  });

  it("gives nothing where two values are stated", () => {
    const result = read([
      "The tenant may end the lease by 30 days' prior notice, and the landlord by 90 days' prior notice, in each",
      "case in a letter that the other one must have before the first day of that time.",
    ]);
    expect(result).toMatchObject({ notice_period: null });
  });

  it("reads no identifier behind the second page, which is of a cited work", () => {
    const page = new PageMaker().text(1, 1, "A paper about the values of documents.").newPage().text(1, 1, "More.");
    page.newPage().text(1, 1, "[1] https://doi.org/10.9999/other.1");
    const schema = parseSchema({ type: "object", properties: { doi: { type: "string" } } });
    expect(extractOffline(page.layout(), { schema, granularity: "word" }).result).toEqual({ doi: null });
  });

  it("reads identifiers of a publication, its own before those it cites", () => {
    const schema: Json = { type: "object", properties: { doi: { type: "string" }, issn: { type: "string" } } };
    const lines = ["https://doi.org/10.1234/abcd.5678", "ISSN 1234-567X", "[1] doi:10.9999/other.1"];
    expect(read(lines, schema)).toEqual({ doi: "10.1234/abcd.5678", issn: "1234-567X" });
  });
});
