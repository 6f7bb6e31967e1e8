import { describe, expect, it } from "vitest";
import { type FillableField, LabelMatcher } from "../../../../../functions/engine/forms/write/match-labels.ts";
import type { JsonObject } from "../../../../../functions/ports/json.ts";
import { definition } from "../../../../support/form-definitions.ts";

const PLACE = [0, 0, 10, 10] as const;
const field = (name: string, label: string, stated: Parameters<typeof definition>[2] = {}): FillableField => ({
  definition: definition(name, PLACE, { label, ...stated }),
});
const button = (state: string, label: string): FillableField => ({
  definition: definition("status", PLACE, { label, fieldType: "radio", group: "marital_status", options: [state] }),
  state,
});

const FIELDS: FillableField[] = [
  field("first_name", "1. First name (and middle initial)"),
  field("name_2", "Name"),
  field("name_3", "Name"),
  field("city", "City or town:"),
  field("agree", "I agree", { fieldType: "checkbox" }),
  field("by_mail", "By mail", { fieldType: "checkbox", group: "contact" }),
  field("by_phone", "By phone", { fieldType: "checkbox", group: "contact" }),
  field("signed", "Signature", { fieldType: "signature" }),
  button("single", "Single"),
  button("married", "Married"),
];
const match = (values: JsonObject) => new LabelMatcher(FIELDS).match(values);

describe("LabelMatcher", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ["a name", { first_name: "Ada" }, { first_name: "Ada" }],
    ["a name in another notation", { "First-Name": "Ada", firstName: "Ada" }, { first_name: "Ada" }],
    ["a label, whatever its punctuation", { "city or town": "London" }, { city: "London" }],
    ["a part of one label", { "middle initial": "B" }, { first_name: "B" }],
    ["the label of a checkbox", { "I agree": true }, { agree: true }],
    ["the question of radio buttons, with the choice", { "Marital status": "Married" }, { status: "married" }],
    ["the choice of a radio button itself", { Single: true }, { status: "single" }],
    [
      "the question of checkboxes, with several choices",
      { contact: ["By mail", "by phone"] },
      { by_mail: true, by_phone: true },
    ],
  ])("finds a field by %s", (_name, values, fields) => {
    expect(match(values)).toEqual({ fields, warnings: [] });
  });

  it.each<[string, JsonObject, string]>([
    ["no field", { "Shoe size": 38 }, 'No field has the name or the label "Shoe size"'],
    ["two fields", { Name: "Ada" }, '"Name" fits 2 fields; give the value by one name of name_2, name_3'],
    ["no choice", { contact: "By fax" }, '"contact" has no choice "By fax"'],
    ["a signature", { Signature: "Ada" }, 'No field has the name or the label "Signature"'],
    ["a short part of many labels", { na: "x" }, 'No field has the name or the label "na"'],
  ])("tells of a value for %s, and sets none", (_name, values, warning) => {
    expect(match(values)).toEqual({ fields: {}, warnings: [warning] });
  });

  it("keeps names that every object has as they are", () => {
    const matcher = new LabelMatcher([field("__proto__", "Proto")]);
    expect(Object.keys(matcher.match({ Proto: "x" }).fields)).toEqual(["__proto__"]);
  });
});
