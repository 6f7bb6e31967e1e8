/** Lists the fields of a PDF template. */
import type { TemplateDescription } from "../template.ts";
import { formFields } from "./form-fields.ts";
import { openForm } from "./open-form.ts";

/** @throws UnprocessableEntity for a file that is no form to fill */
export async function describeForm(bytes: Uint8Array): Promise<TemplateDescription> {
  const { fields, signed, decrypted } = await openForm(bytes);
  return {
    fields: formFields(fields).map(({ dict: _dict, widgets: _widgets, ...field }) => field),
    signed,
    dropsRestrictions: decrypted,
  };
}
