/** Lists the fields of a PDF template. */
import type { TemplateDescription } from "../template.ts";
import { formFields } from "./form-fields.ts";
import { withForm } from "./open-form.ts";

/** @throws UnprocessableEntity for a file that is no form to fill */
export function describeForm(bytes: Uint8Array): Promise<TemplateDescription> {
  return withForm(bytes, ({ fields, signed, decrypted }) => ({
    fields: formFields(fields).map(({ dict: _dict, widgets: _widgets, ...field }) => field),
    signed,
    dropsRestrictions: decrypted,
  }));
}
