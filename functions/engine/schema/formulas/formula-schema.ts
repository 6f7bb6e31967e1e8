/** The schema that turns named formulas into calculated fields. */
import type { Json } from "../../../ports/json.ts";

/** Formulas by the name of what they give, as properties of a schema. */
export const formulaSchema = (formulas: Readonly<Record<string, string>>): Json => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(formulas).map(([name, expression]) => [
      name,
      { "x-docudevs": { fieldType: "calculated", formula: { lang: "excel", expression } } },
    ]),
  ),
});
