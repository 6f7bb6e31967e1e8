/** The type of a field, from its shape and its label. */
import type { FieldType } from "../field-definition.ts";
import { isChoice } from "./candidate.ts";
import type { ChoiceGroup } from "./choice-groups.ts";
import type { JudgedCandidate } from "./confidence.ts";
import { namesDate, namesSignature } from "./form-wording.ts";

/** Height in ems from which a box holds several lines. */
const MULTILINE_EM = 3;

/** @param group the question that a place to tick belongs to @param em usual type size of the page, points */
export function fieldTypeOf(
  { candidate, label }: JudgedCandidate,
  group: ChoiceGroup | undefined,
  em: number,
): FieldType {
  if (isChoice(candidate)) return group?.exclusive === true || candidate.shape === "round" ? "radio" : "checkbox";
  if (candidate.comb !== undefined) return namesDate(label.text) ? "date" : "text";
  if (namesSignature(label.text)) return "signature";
  if (namesDate(label.text)) return "date";
  const height = candidate.box.bottom - candidate.box.top;
  return candidate.shape === "lines" || height >= MULTILINE_EM * em ? "multiline" : "text";
}
