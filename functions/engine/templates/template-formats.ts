/** The formats of templates, by media type. */
import { UnsupportedMediaType } from "../../ports/errors.ts";
import { PDF } from "../../ports/media-types.ts";
import { describeForm } from "./pdf/describe-form.ts";
import { fillForm } from "./pdf/fill-form.ts";
import type { FilledTemplate, FillRequest, TemplateDescription } from "./template.ts";

export interface TemplateFormat {
  /** @throws UnprocessableEntity for a file that cannot be filled */
  describe(bytes: Uint8Array): Promise<TemplateDescription>;
  /** @throws BadRequest for values that the template does not take; UnprocessableEntity as `describe` does */
  fill(bytes: Uint8Array, request: FillRequest): Promise<FilledTemplate>;
}

const FORMATS: ReadonlyMap<string, TemplateFormat> = new Map([[PDF, { describe: describeForm, fill: fillForm }]]);

/** @throws UnsupportedMediaType for a format that is no template */
export function templateFormat(mimeType: string): TemplateFormat {
  const format = FORMATS.get(mimeType);
  if (format === undefined)
    throw new UnsupportedMediaType("A template is a PDF with a form; upload it as application/pdf");
  return format;
}
