import { describe, expect, it } from "vitest";
import { describeForm } from "../../../../../functions/engine/templates/pdf/describe-form.ts";
import { handForm, look } from "../../../../support/hand-form.ts";

const fieldsOf = async (...widgets: string[]) =>
  (await describeForm(handForm({ widgets, objects: [look(100, "")] }))).fields;

const RECT = "/Rect [20 20 200 40]";

describe("describeForm", () => {
  it("lists name, type, tooltip, flags, values and limit", async () => {
    const [field] = await fieldsOf(`/FT /Tx /T (a) /TU (Your name) /Ff 3 /V (now) /DV (first) /MaxLen 9 ${RECT}`);
    expect(field).toEqual({
      name: "a",
      type: "text",
      tooltip: "Your name",
      flags: ["readOnly", "required"],
      value: "now",
      defaultValue: "first",
      options: [],
      optionLabels: [],
      script: null,
      maxLength: 9,
      dateFormat: null,
      fields: [],
      valueType: null,
    });
  });

  it("lists the states of checkboxes, also behind references", async () => {
    const [field] = await fieldsOf(`/FT /Btn /T (a) ${RECT} /AP <</N <</Ja 100 0 R /Off 100 0 R>>>>`);
    expect(field).toMatchObject({ type: "checkbox", options: ["Ja"], value: "Off" });
  });

  it("notes the scripts of a field and of its widget, and runs none", async () => {
    const [field] = await fieldsOf(
      `/FT /Tx /T (a) ${RECT} /AA <</F <</S /JavaScript /JS (AFDate_FormatEx\\("dd.mm.yyyy"\\);)>> /K <</S /JavaScript /JS (while\\(1\\);)>>>>`,
    );
    expect(field?.script).toBe('while(1);\nAFDate_FormatEx("dd.mm.yyyy");');
    expect(field?.dateFormat).toBe("dd.mm.yyyy");
  });

  it("hides the value of a password", async () => {
    expect((await fieldsOf(`/FT /Tx /T (a) /Ff 8192 /V (secret) ${RECT}`))[0]?.value).toBeNull();
  });

  it("leaves out fields without a name or a type, which nobody can fill", async () => {
    expect(await fieldsOf(`/FT /Tx ${RECT}`, `/T (a) ${RECT}`)).toEqual([]);
  });

  it("reads a PDF without a form", async () => {
    expect(await describeForm(handForm({ widgets: [], fields: null }))).toEqual({
      fields: [],
      signed: false,
      dropsRestrictions: false,
    });
  });
});
