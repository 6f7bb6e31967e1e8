/** What a compiler is told of the rooms around it, where a test does not ask them. */
import type { DefinitionChecks } from "../../../statemachines/pipeline/nodes/node.ts";

/** Takes every schema that is an object, every formula that does not say `bad`, and three operations. */
export const CHECKS: DefinitionChecks = {
  schema: (schema) =>
    typeof schema === "object" && schema !== null && !Array.isArray(schema) ? undefined : "The schema is no object",
  formulas(formulas) {
    const bad = Object.entries(formulas).find(([, formula]) => formula.includes("bad"));
    return bad && { name: bad[0], message: `The formula of ${bad[0]} is none` };
  },
  operationTypes: ["ocr-correct", "document-outline", "redact"],
};
