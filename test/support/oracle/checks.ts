/** The compiler's checks of other rooms, simplified for tests. */
import type { DefinitionChecks } from "../../../statemachines/pipeline/nodes/node.ts";

/**
 * Accepts every schema that is an object, every formula without `bad`, and four operations, one of which needs a
 * prompt.
 */
export const CHECKS: DefinitionChecks = {
  schema: (schema) =>
    typeof schema === "object" && schema !== null && !Array.isArray(schema) ? undefined : "The schema is no object",
  formulas(formulas) {
    const bad = Object.entries(formulas).find(([, formula]) => formula.includes("bad"));
    return bad && { name: bad[0], message: `The formula of ${bad[0]} is none` };
  },
  parameters(operation, given, comesLater) {
    if (operation !== "generative-task") return [];
    if ("prompt" in given)
      return typeof given.prompt === "string" ? [] : [{ name: "prompt", message: "must be a text" }];
    return comesLater("prompt") ? [] : [{ name: "prompt", message: "must be given" }];
  },
  operationTypes: ["ocr-correct", "document-outline", "redact", "generative-task"],
};
