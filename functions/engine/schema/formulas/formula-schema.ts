/** The schema that turns named formulas into calculated fields. */
import type { Json } from "../../../ports/json.ts";

/** An object schema with one calculated property per formula. @param formulas by property name */
export const formulaSchema = (formulas: Readonly<Record<string, string>>): Json => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(formulas).map(([name, expression]) => [
      name,
      { "x-docudevs": { fieldType: "calculated", formula: { lang: "excel", expression } } },
    ]),
  ),
});
