import { describe, expect, it } from "vitest";
import { cutPassages } from "../../../../functions/engine/passages/cut-passages.ts";
import { type IndexEntry, parsePassage, writePassages } from "../../../../functions/engine/passages/passage-files.ts";
import { MAX_QUESTION_TERMS, questionTerms, searchTerms } from "../../../../functions/engine/passages/search-terms.ts";
import { heading, layoutOf, paragraph } from "../../../support/passage-layout.ts";

describe("search terms", () => {
  it("are the same for a word's forms, cases and accents", () => {
    expect(searchTerms("Contracts")).toEqual(searchTerms("contract"));
    expect(searchTerms("Résumé")).toEqual(searchTerms("resume"));
  });

  it("keep numbers whole and cut codes at their signs", () => {
    expect(searchTerms("INV-2024-0017")).toEqual(["inv", "2024", "0017"]);
  });

  it("are pairs of characters in scripts without spaces", () => {
    expect(searchTerms("東京都 ACME")).toEqual(["acme", "東京", "京都"]);
  });

  it("of a question leave out stop words, unless nothing else is asked, and repetitions", () => {
    expect(questionTerms("What is the price of the price?")).toEqual(expect.not.arrayContaining(["the", "of", "is"]));
    expect(questionTerms("price price")).toEqual(searchTerms("price"));
    expect(questionTerms("the of")).toEqual(["the", "of"]);
    expect(questionTerms("?!")).toEqual([]);
    expect(questionTerms(Array.from({ length: 200 }, (_, at) => `n${at}`).join(" "))).toHaveLength(MAX_QUESTION_TERMS);
  });
});

describe("the files of passages", () => {
  it("name the bytes of each passage's line", () => {
    const passages = cutPassages(layoutOf([heading("Größe"), paragraph("Ärger über Öl.")], [paragraph("Two.")]));
    const files = writePassages(passages);
    const entries = Buffer.from(files.terms).toString("utf8").trim().split("\n");
    const read = entries.map((line) => {
      const { start, bytes } = JSON.parse(line) as IndexEntry;
      return parsePassage(files.passages.subarray(start, start + bytes));
    });
    expect(read).toEqual(passages);
    expect(JSON.parse(entries[0] ?? "")).toMatchObject({ headings: searchTerms("Größe").join(" ") });
  });
});
