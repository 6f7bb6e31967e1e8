import { expect, it } from "vitest";
import { namesDate, namesSignature } from "../../../../../functions/engine/forms/detect/form-wording.ts";

it.each([
  ["Signature of applicant", true, false],
  ["Signature and date", true, true],
  ["Date of signature (mm/dd/yyyy)", false, true],
  ["Signature date", false, true],
  ["Date of birth", false, true],
])("namesSignature and namesDate tell a place to sign from the date of it: %s", (label, signs, dates) => {
  expect([namesSignature(label), namesDate(label)]).toEqual([signs, dates]);
});
