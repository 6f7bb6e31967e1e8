import { describe, expect, it } from "vitest";
import { meaningOf } from "../../../../../../functions/engine/extraction/rules/field-meaning.ts";
import { assignTogether } from "../../../../../../functions/engine/extraction/rules/forms/assign-items.ts";
import { type FormItem, formItems } from "../../../../../../functions/engine/extraction/rules/forms/form-items.ts";
import type { ItemMatch } from "../../../../../../functions/engine/extraction/rules/forms/match-score.ts";
import { itemText, readItem } from "../../../../../../functions/engine/extraction/rules/forms/read-item.ts";
import type { Conventions } from "../../../../../../functions/engine/extraction/rules/value-reader.ts";
import { parseSchema } from "../../../../../../functions/engine/schema/parsed-schema.ts";
import type { EntryView } from "../../../../../../functions/engine/structure/view/view-form-entries.ts";
import type { Json } from "../../../../../../functions/ports/json.ts";
import type { EntryField, FormEntry } from "../../../../../../functions/ports/layout.ts";

type Part = Partial<EntryField> & Pick<FormEntry, "label"> & { context?: string[]; ticked?: boolean };

/** Fields side by side with gaps of 0.1 inches, each as wide as its value and at least half an inch. */
function fieldsInRow(parts: readonly Part[]): EntryView[] {
  let left = 1;
  return parts.map(({ label, context = [], ticked, ...field }, index) => {
    const width = Math.max(0.5, 0.09 * String(field.value ?? "").length);
    const box = { left, top: 1, right: left + width, bottom: 1.2 };
    left = box.right + 0.1;
    const own: EntryField = { id: `f${index}`, name: `f${index}`, type: "text", value: null, ...field };
    const kind = ticked === undefined ? {} : { ticked };
    const entry: FormEntry = {
      kind: ticked === undefined ? "text" : "tick",
      box,
      label,
      context,
      words: [],
      field: own,
      ...kind,
    };
    return { page: 1, entry, tokens: [] };
  });
}

/** The answer of the first item to a property. */
function answer(views: readonly EntryView[], name: string, schema: Json): unknown {
  const [field] = parseSchema({ type: "object", properties: { [name]: schema } }).fields.values();
  const [item] = formItems(views);
  if (field === undefined || item === undefined) throw new Error("nothing to ask");
  const reading = readItem(item, field, meaningOf(field), CONVENTIONS);
  return reading.kind === "value" ? reading.value : reading.kind;
}

const CONVENTIONS: Conventions = {
  notation: "point",
  order: "month-first",
  language: null,
  currencies: new Set(),
  assumed: new Set(),
};
const DATE = { type: "string", format: "date" };

describe("parts of one value", () => {
  it("are joined as a date by the units that their names end with, in any order of the file", () => {
    const [day, month, year] = fieldsInRow([
      { label: "Served on", name: "served_day", value: "07" },
      { label: "Served on the defendant", name: "served_month", value: "04" },
      { label: "Served on the defendant", name: "served_year", value: "2024" },
    ]) as [EntryView, EntryView, EntryView];
    expect(formItems([month, year, day])).toHaveLength(1);
    expect(answer([year, day, month], "served", DATE)).toBe("2024-04-07");
  });

  it("are joined by the print that names their units", () => {
    const views = fieldsInRow([
      { label: "생년월일", context: ["년 yyyy"], value: "1995" },
      { label: "월 mm", value: "07" },
      { label: "일 dd", value: "19" },
    ]);
    expect(answer(views, "birth", DATE)).toBe("1995-07-19");
  });

  it("are joined by the sign that is printed between them", () => {
    const views = fieldsInRow([
      { label: "Mail", value: "b.lemoine.of.the.long.name" },
      { label: "Country code", context: ["@"], value: "example.fr" },
    ]);
    expect(answer(views, "email", { type: "string" })).toBe("b.lemoine.of.the.long.name@example.fr");
  });

  it("are parted by a space where they have letters, by a dash where they are digits", () => {
    const post = fieldsInRow([
      { label: "Postcode", name: "post1", maxLength: 4, value: "RG1" },
      { label: "Postcode", name: "post2", maxLength: 4, value: "3EZ" },
    ]);
    const phone = fieldsInRow([
      { label: "Phone", name: "a", tooltip: "8. Telephone. First three digits", maxLength: 3, value: "555" },
      { label: "Phone", name: "b", tooltip: "8. Telephone. Last four digits", maxLength: 4, value: "0164" },
    ]);
    expect(formItems(post).map((item) => itemText(item, false))).toEqual(["RG1 3EZ"]);
    expect(formItems(phone).map((item) => itemText(item, false))).toEqual(["555-0164"]);
  });

  it("are not made of fields that only stand side by side", () => {
    const views = fieldsInRow([
      { label: "State", name: "state", maxLength: 2, value: "OK" },
      { label: "Zip", name: "zip", maxLength: 5, value: "74104" },
    ]);
    expect(formItems(views)).toHaveLength(2);
  });
});

describe("values of forms", () => {
  it("are dates without signs, in the order of the form", () => {
    const [view] = fieldsInRow([{ label: "Date (jj/mm/aaaa)", value: "17052024" }]) as [EntryView];
    expect(answer([view], "date", DATE)).toBe("2024-05-17");
  });

  it("are the first line of a block of name and address, where the name is asked", () => {
    const views = fieldsInRow([
      { label: "Claimant (name and address)", value: "Marlow Ltd\n12 Kennet Wharf\nReading" },
    ]);
    expect(answer(views, "claimant_name", { type: "string" })).toBe("Marlow Ltd");
    expect(answer(views, "claimant", { type: "string" })).toBe("Marlow Ltd 12 Kennet Wharf Reading");
  });

  it("are no at a ticked box that says no, and open where it is not ticked", () => {
    const box = (ticked: boolean): EntryView[] =>
      fieldsInRow([{ label: "No  Go to Section 4", type: "checkbox", ticked }]);
    expect(answer(box(true), "receives_benefits", { type: "boolean" })).toBe(false);
    expect(answer(box(false), "receives_benefits", { type: "boolean" })).toBe("empty");
  });

  it("have the signs of the value that is asked for", () => {
    const [number] = fieldsInRow([{ label: "Vor- und Nachname", value: "4.350,00" }]) as [EntryView];
    expect(answer([number], "kfz_halter_name", { type: "string" })).toBe("unfit");
    expect(answer([number], "email", { type: "string" })).toBe("unfit");
    expect(answer([number], "phone", { type: "string" })).toBe("4.350,00");
  });
});

describe("assignTogether", () => {
  const textItem = (label: string, left: number, value: string): FormItem => ({
    kind: "text",
    page: 1,
    at: 9 - left,
    names: [[label, 1]],
    members: fieldsInRow([{ label, value }]).map((view) => ({
      ...view,
      entry: { ...view.entry, box: { left, top: 1, right: left + 1, bottom: 1.2 } },
    })),
  });
  const match = (item: FormItem, score: number): ItemMatch => ({ item, score, reading: { kind: "empty" } });

  it("gives items that answer two properties alike in the order of the page", () => {
    const [left, right] = [textItem("First name", 1, "Lea"), textItem("First name", 4, "Jonas")];
    const matches = [
      [match(right, 0.88), match(left, 0.85)],
      [match(right, 0.82), match(left, 0.8)],
    ];
    const assigned = assignTogether([["first"], ["second"]], matches);
    expect(assigned.map((one) => one?.item)).toEqual([left, right]);
  });

  it("keeps items that clearly answer one property better", () => {
    const [left, right] = [textItem("Buyer", 1, "Lea"), textItem("Seller", 4, "Jonas")];
    const matches = [
      [match(right, 0.9), match(left, 0.4)],
      [match(left, 0.9), match(right, 0.4)],
    ];
    const assigned = assignTogether([["seller"], ["buyer"]], matches);
    expect(assigned.map((one) => one?.item)).toEqual([right, left]);
  });
});
