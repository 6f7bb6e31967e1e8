import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { PageMaker } from "../page.ts";

const SCHEMA: Json = {
  type: "object",
  properties: {
    title: { type: "string" },
    authors: { type: "array", items: { type: "string" } },
    signed_by: { type: "string" },
  },
};
const BODY = Array.from(
  { length: 8 },
  () => "We show that the values of a page are read better where the words around them are known to the reader.",
);

const read = (draw: (page: PageMaker) => void): Json => {
  const page = new PageMaker();
  draw(page);
  return extractOffline(page.layout(), { schema: parseSchema(SCHEMA), granularity: "word" }).result;
};

describe("the front page", () => {
  it("shows title and authors of a paper", () => {
    const result = read((page) =>
      page
        .lines(1, 1, ["Reading Values of Documents", "Nobody Has Tuned To"], { size: 18 })
        .text(1, 1.9, "Anna Berg1, Jean-Luc Moreau2 and Wei Zhang*")
        .text(1, 2.1, "1 Department of Reading, University of Somewhere")
        .lines(1, 3, BODY),
    );
    expect(result).toMatchObject({
      title: "Reading Values of Documents Nobody Has Tuned To",
      authors: ["Anna Berg", "Jean-Luc Moreau", "Wei Zhang"],
    });
  });

  it("shows no institution or place that stands below several authors", () => {
    const result = read((page) => {
      page.text(1, 1, "Reading Values of Documents", { size: 18 });
      for (const [at, author] of ["Anna Berg", "Wei Zhang"].entries())
        page.lines(1 + at * 3, 1.6, [author, "Harbour Labs Works", "New Haven"]);
      page.lines(1, 3, BODY);
    });
    expect(result).toMatchObject({ authors: ["Anna Berg", "Wei Zhang"] });
  });

  it.each([
    ["a bill", "TAX INVOICE FOR GOODS"],
    ["a single word", "Income"],
    ["a numbered part", "2. Family members"],
  ])("has no title on %s", (_, heading) => {
    expect(read((page) => page.text(1, 1, heading, { size: 20 }).lines(1, 2, BODY))).toMatchObject({ title: null });
  });

  it.each([
    ["several bold lines", ["CONFIDENTIALITY", "AND SECRECY AGREEMENT"], "CONFIDENTIALITY AND SECRECY AGREEMENT"],
    ["a single long word", ["Garagenmietvertrag"], "Garagenmietvertrag"],
  ])("has a title of %s in the middle of the page", (_, lines, title) => {
    const result = read((page) => {
      for (const [at, line] of lines.entries())
        page.text(4.25 - line.length * 0.047, 1 + at * 0.18, line, { bold: true });
      page.lines(1, 2, BODY, { bold: false });
    });
    expect(result).toMatchObject({ title });
  });

  it("joins a title's words that the end of a line cuts, and leaves out the day of it", () => {
    const lines = ["Minutes of the general assem-", "bly of the Harbour Club", "held on 8 August 2022"];
    expect(read((page) => page.lines(1, 1, lines, { size: 18 }).lines(1, 3, BODY))).toMatchObject({
      title: "Minutes of the general assembly of the Harbour Club",
    });
  });

  it.each([
    ["a letterhead beside the kind of document", (page: PageMaker) => page.text(5, 1, "AGREEMENT")],
    ["a heading below the text", (page: PageMaker) => page.lines(1, 0.3, BODY.slice(0, 3))],
  ])("has no title in %s", (_, draw) => {
    expect(read((page) => draw(page.text(1, 1, "Harbour Coaching", { size: 20 })).lines(1, 2, BODY))).toMatchObject({
      title: null,
    });
  });

  it("shows no authors on a form", () => {
    const result = read((page) =>
      page.text(1, 1, "Employment Application", { size: 18 }).text(1, 1.5, "Applicant Name"),
    );
    expect(result).toMatchObject({ authors: [] });
  });

  it("shows who signed a letter", () => {
    const result = read((page) =>
      page.text(1, 1, "Dear Ms Stone,").lines(1, 1.4, BODY).text(1, 4, "Yours sincerely,").text(1, 4.8, "Martha Hill"),
    );
    expect(result).toMatchObject({ signed_by: "Martha Hill" });
  });
});
