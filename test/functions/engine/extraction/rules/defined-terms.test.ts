import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { PageMaker } from "../page.ts";

const text = { type: "string" } satisfies Json;

const read = (names: string[], ...lines: string[]): Json => {
  const schema = { type: "object", properties: Object.fromEntries(names.map((name) => [name, text])) } satisfies Json;
  const page = new PageMaker().lines(1, 1, lines);
  return extractOffline(page.layout(), { schema: parseSchema(schema), granularity: "word" }).result;
};

describe("defined terms", () => {
  it("give the name before the bracket with the role", () => {
    const result = read(
      ["licensor", "licensee", "guarantor"],
      "This agreement is made on 6 August 2015 (the “Effective Date”) by and between Northwind Traders Inc.",
      "(the “Licensor,” or “Northwind”), a corporation existing under the laws of Canada, and Fabrikam, Inc.",
      "(the “Licensee”), a corporation organized and existing under the laws of Nevada.",
    );
    expect(result).toEqual({ licensor: "Northwind Traders Inc.", licensee: "Fabrikam, Inc.", guarantor: null });
  });

  it("give the name, not the address before the bracket, and go before labels", () => {
    const result = read(
      ["franchisee"],
      "This Agreement is made by and between Northwind Limited and Fabrikam Company, a company incorporated in",
      "Canada, with an address at 1345 Avenue of the Americas, 11th floor, New York (“Franchisee”).",
      "Franchisee: by its officer",
    );
    expect(result).toEqual({ franchisee: "Fabrikam Company" });
  });

  it("give no label and no address before the bracket", () => {
    const result = read(
      ["provider", "user"],
      "This contract is made between: Ann Field Millbrook No. 23, 59455 (the “Provider”) and of the other part",
      "the person named below, and Your number for all payments: (the “User”), who orders the service of the first.",
    );
    expect(result).toEqual({ provider: null, user: null });
  });

  it("give the quoted name before the bracket, and no heading before its text", () => {
    const result = read(
      ["programme", "institute"],
      "The organizer of the scheme “Green Roofs” (the “Programme”) is the town of Millbrook in the north.",
    );
    expect(result).toEqual({ programme: "Green Roofs", institute: null });
    const page = new PageMaker()
      .text(1, 1, "General Provisions")
      .lines(1, 1.5, ["Harbour Institute (the “Institute”) is a body of the town that has its seat in Millbrook."]);
    const schema = parseSchema({ type: "object", properties: { institute: text } });
    expect(extractOffline(page.layout(), { schema, granularity: "word" }).result).toEqual({
      institute: "Harbour Institute",
    });
  });

  it("give a name that begins with a small letter", () => {
    const result = read(
      ["provider"],
      "These general terms (GT) apply to all contracts between the iSwim School (the “Provider”) and its guests.",
    );
    expect(result).toEqual({ provider: "iSwim School" });
  });

  it("give the person above a role, with another role between them", () => {
    const page = new PageMaker().lines(1, 1, ["Anna Berg", "Assistant to the Director", "Recording Secretary"]);
    const schema = parseSchema({ type: "object", properties: { recording_secretary: text } });
    expect(extractOffline(page.layout(), { schema, granularity: "word" }).result).toEqual({
      recording_secretary: "Anna Berg",
    });
  });

  it("give what a sentence says of its subject", () => {
    const lines = ["Das Geschäftsjahr des Vereins ist das Kalenderjahr.", "Der Verein ist selbstlos und dient vielen."];
    expect(read(["geschaeftsjahr"], ...lines)).toEqual({ geschaeftsjahr: "Kalenderjahr" });
  });

  it.each([
    ["a part of a phrase", "geschaeftsjahr", "Das Geschäftsjahr ist das des Verbandes."],
    ["a description", "pool", "The pool is open for all members of the club."],
    ["a longer word", "sitz", "Die Sitzungen des Vorstands sind für alle öffentlich."],
    ["a long sentence", "duty", "The duty is whatever the board of the club in its meetings of any year may find fit."],
  ])("give nothing for %s", (_, name, line) => {
    expect(read([name], line)).toEqual({ [name]: null });
  });
});
