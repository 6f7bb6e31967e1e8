import { describe, expect, it } from "vitest";
import { MAX_DEFINITIONS, readDefinitions } from "../../../../functions/engine/forms/read-definitions.ts";
import { BadRequest } from "../../../../functions/ports/errors.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import { definition } from "../../../support/form-definitions.ts";

const FULL = definition("name", [60, 60, 200, 80], { group: "g", comb: 4, label: "Name", options: ["a", "b"] });
const json = (value: unknown) => value as Json;
const faultsOf = (given: unknown, pageCount = 2): [string, string][] => {
  try {
    readDefinitions(json(given), pageCount);
  } catch (error) {
    if (error instanceof BadRequest) return (error.errors ?? []).map(({ path, message }) => [path, message]);
    throw error;
  }
  return [];
};

describe("readDefinitions", () => {
  it("reads what it wrote", () => {
    expect(readDefinitions(json([FULL]), 1)).toEqual([FULL]);
  });

  it("gives what is left out its default, null like absent", () => {
    const { pageNumber, fieldName, fieldType, entryBbox } = FULL;
    const [read] = readDefinitions(json([{ pageNumber, fieldName, fieldType, entryBbox, comb: null, more: 1 }]), 1);
    expect(read).toEqual({
      id: "sent1",
      pageNumber,
      fieldName,
      fieldType,
      entryBbox,
      label: "",
      confidence: 1,
      required: false,
      options: [],
      reviewStatus: "accepted",
      source: "box",
    });
  });

  it("reads words in any case, and cuts off what rounding put over an edge", () => {
    const entryBbox = { left: -0.001, top: 0, right: 1.001, bottom: 0.1 };
    const [read] = readDefinitions(json([{ ...FULL, fieldType: "Checkbox", reviewStatus: "EDITED", entryBbox }]), 1);
    expect(read).toMatchObject({ fieldType: "checkbox", reviewStatus: "edited", entryBbox: { left: 0, right: 1 } });
  });

  it.each<[string, unknown, string]>([
    ["fieldType", "star", "must be one of text, multiline"],
    ["fieldType", undefined, "must be one of text, multiline"],
    ["pageNumber", 3, "must be an integer from 1 to 2"],
    ["pageNumber", undefined, "must be an integer from 1 to 2"],
    ["pageNumber", 1.5, "must be an integer from 1 to 2"],
    ["fieldName", " ", "must be a text of 1 to 200 characters"],
    ["fieldName", "x".repeat(201), "must be a text of 1 to 200 characters"],
    ["label", 7, "must be a text of 0 to 2000 characters"],
    ["confidence", 1.2, "must be a number from 0 to 1"],
    ["required", "yes", "must be true or false"],
    ["options", [1], "must be a list of at most 1000 texts"],
    ["reviewStatus", "done", "must be one of suggested"],
    ["source", "guess", "must be one of rule"],
    ["comb", 0, "must be an integer from 1 to 100"],
    ["entryBbox", { left: 0, top: 0, right: 1.2, bottom: 1 }, "must lie on the page: right"],
    ["entryBbox", { left: 0.5, top: 0, right: 0.5, bottom: 1 }, "must have an area"],
    ["entryBbox", undefined, "must lie on the page: left, top, right, bottom"],
  ])("names a bad %s (%j) by its index", (member, value, message) => {
    expect(faultsOf([FULL, { ...FULL, [member]: value }])).toEqual([
      [`/fieldDefinitions/1/${member}`, expect.stringContaining(message)],
    ]);
  });

  it("names the faults of all definitions, up to a hundred", () => {
    expect(faultsOf([{ ...FULL, comb: "x" }, 7])).toEqual([
      ["/fieldDefinitions/0/comb", expect.any(String)],
      ["/fieldDefinitions/1", "must be an object"],
    ]);
    expect(faultsOf(Array(500).fill(null))).toHaveLength(100);
  });

  it("refuses more definitions than a document can have", () => {
    expect(faultsOf(Array(MAX_DEFINITIONS + 1).fill(FULL))).toEqual([
      ["/fieldDefinitions", expect.stringContaining("at most 20,000 definitions")],
    ]);
  });
});
