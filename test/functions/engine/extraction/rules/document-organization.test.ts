import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { leastCpu } from "../../../../support/cpu.ts";
import { PageMaker } from "../page.ts";

const BODY = Array.from(
  { length: 6 },
  () => "The members meet in the hall of the town, and the chair opens the meeting.",
);

const read = (title: string, lines: string[] = BODY): Json =>
  extractOffline(new PageMaker().text(1, 1, title, { size: 18 }).lines(1, 2, lines).layout(), {
    schema: parseSchema({ type: "object", properties: { association: { type: "string" } } }),
    granularity: "word",
  }).result;

describe("the organisation of a document", () => {
  it.each([
    ["Bylaws of the Harbour Club", "Harbour Club"],
    ["Protokoll des Vereins „Grüne Dächer“", "Grüne Dächer"],
    ["Stadgar för Gröna Tak", "Gröna Tak"],
  ])("is named by its title: %s", (title, association) => {
    expect(read(title)).toEqual({ association });
  });

  it("is the only name with a legal form", () => {
    expect(read("Minutes of the meeting", [...BODY, "The firm Harbour Works Ltd sends three."])).toEqual({
      association: "Harbour Works Ltd",
    });
  });

  it.each([
    ["other titles", "Rules of Conduct in Halls", BODY],
    [
      "two legal forms",
      "Minutes of the meeting",
      [...BODY, "Harbour Works Ltd and", "Northport Mills Inc. are there."],
    ],
  ])("is not named by %s", (_, title, lines) => {
    expect(read(title, lines)).toEqual({ association: null });
  });

  it("ends soon for a word without end that has capitals", () => {
    const endless = "A-".repeat(20_000);
    expect(leastCpu(3, 1000, () => void read("Minutes of the meeting", [...BODY, endless]))).toBeLessThan(1000);
  });
});
