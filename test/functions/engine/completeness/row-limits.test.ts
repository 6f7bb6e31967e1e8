import { describe, expect, it } from "vitest";
import type { DataList } from "../../../../functions/engine/completeness/result-lists.ts";
import { limitsOfLists } from "../../../../functions/engine/completeness/row-limits.ts";
import type { StatedLimit } from "../../../../functions/engine/extraction/answers/stated-limits.ts";
import { parseSchema } from "../../../../functions/engine/schema/parsed-schema.ts";

const LINES: DataList = { path: "/order/*/lines", scalars: false, items: [], lists: [], shape: null };
const PROMPT = "Read the order. Only lines over 100 EUR from pages 2 to 3, at most seven.";

/** The limit of the list, which has rows on page 2 of 4. */
function limitBy(
  stated: Partial<StatedLimit>,
  { prompt = PROMPT, items = 5, pages = [2], description = "" } = {},
  list = LINES,
) {
  const schema = parseSchema({ type: "object", description });
  const one = { list: "/order/0/lines", reason: "Only lines over 100 EUR", ...stated };
  return limitsOfLists([list], { schema, prompt, stated: [one] }, () => ({ items, pages }), 4).get(list);
}

describe("limits that a model states", () => {
  const criterion = { said: ["Only lines over 100 EUR"], criterion: true };

  it.each([
    "/order/0/lines",
    "/order/*/lines",
    "/order/lines",
    "order/lines",
    "#/order/-/lines",
    "/result/order/lines",
  ])("are of the list at %s", (list) => {
    expect(limitBy({ list })).toEqual(criterion);
  });

  it("are none for another list", () => {
    for (const list of ["", "/lines", "/order", "/order/lines/parts"]) expect(limitBy({ list })).toBeUndefined();
    const root: DataList = { ...LINES, path: "" };
    for (const list of ["", "/", "/result"]) expect(limitBy({ list }, {}, root)).toEqual(criterion);
  });

  it("are none without a quotation of the prompt or a description", () => {
    for (const reason of ["", "over", "Only lines over 200 EUR", "lines over 100 EURO", "the user wants few rows", "o"])
      expect(limitBy({ reason: reason === "over" ? "ov" : reason })).toBeUndefined();
    expect(limitBy({}, { prompt: "" })).toBeUndefined();
    expect(limitBy({}, { prompt: "", description: "An order. only  LINES, over 100 EUR!" })).toEqual(criterion);
    const described = {
      ...LINES,
      shape: { kind: "list", description: "Only lines over 100 EUR" } as DataList["shape"],
    };
    expect(limitBy({}, { prompt: "" }, described)).toEqual(criterion);
  });

  it("have a count where the number stands in the quotation and there are as many rows", () => {
    const reason = "at most seven";
    expect(limitBy({ reason, count: 7 }, { items: 7 })).toEqual({ said: [reason], count: { rows: 7, of: "some" } });
    expect(limitBy({ reason, count: 6 })).toEqual({ said: [reason], criterion: true });
    for (const items of [6, 8])
      expect(limitBy({ reason, count: 7 }, { items })).toEqual({ said: [reason], criterion: true });
  });

  it("have pages that exist, stand in the quotation and hold the rows", () => {
    const reason = "from pages 2 to 3";
    expect(limitBy({ reason, pages: [2, 3] })).toEqual({ said: [reason], pages: [[2, 3]] });
    expect(limitBy({ reason, pages: [2, null] })).toEqual({ said: [reason], pages: [[2, 4]] });
    for (const pages of [
      [1, 3],
      [3, 2],
      [2, 4],
    ] as [number, number][])
      expect(limitBy({ reason, pages })).toEqual({ said: [reason], criterion: true });
    expect(limitBy({ reason, pages: [2, 3] }, { pages: [2, 4] })).toEqual({ said: [reason], criterion: true });
    const beyond = { prompt: "only page 9" };
    expect(limitBy({ reason: "page 9", pages: [9, 9] }, { ...beyond, pages: [] })).toMatchObject({ pages: [[9, 9]] });
  });

  it("add nothing to plain words that say the same", () => {
    const prompt = "Extract the first 5 lines.";
    const plain = { said: ["Extract the first 5 lines"], count: { rows: 5, of: "first" } };
    expect(limitBy({ reason: "the first 5 lines" }, { prompt })).toEqual(plain);
    expect(limitBy({ reason: "Nothing said" }, { prompt })).toEqual(plain);
  });

  it("are joined, the larger of two counts", () => {
    const prompt = "At most 3 lines. At most 8 lines. Only cancelled ones.";
    const found = limitBy({ reason: "Only cancelled ones" }, { prompt });
    expect(found).toEqual({
      said: ["At most 3 lines", "At most 8 lines", "Only cancelled ones"],
      count: { rows: 8, of: "some" },
      criterion: true,
    });
  });
});
