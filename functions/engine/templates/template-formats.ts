/** The formats of templates, by media type. The code of a format is loaded when it is first needed. */
import { JobFailure, UnprocessableEntity, UnsupportedMediaType } from "../../ports/errors.ts";
import { DOCX, PDF, PPTX, XLSX } from "../../ports/media-types.ts";
import type { FilledTemplate, FillRequest, TemplateDescription } from "./template.ts";

export interface TemplateFormat {
  /** @throws UnprocessableEntity for a file that cannot be filled */
  describe(bytes: Uint8Array): Promise<TemplateDescription>;
  /** @throws BadRequest for values that the template does not take; UnprocessableEntity as `describe` does */
  fill(bytes: Uint8Array, request: FillRequest): Promise<FilledTemplate>;
}

/** Runs work on an Office file; the sentence of a reader, which is about a job, becomes one about a template. */
async function asTemplate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof JobFailure) || cause.retryable) throw cause;
    const sentence = cause.message.replace(/^Processing failed: Document/, "The document");
    throw new UnprocessableEntity(sentence.replace(/^Processing failed: /, "The template cannot be read: "), { cause });
  }
}

const office = ({ describe, fill }: TemplateFormat): TemplateFormat => ({
  describe: (bytes) => asTemplate(() => describe(bytes)),
  fill: (bytes, request) => asTemplate(() => fill(bytes, request)),
});

const FORMATS: ReadonlyMap<string, () => Promise<TemplateFormat>> = new Map([
  [
    PDF,
    async () => {
      const [{ describeForm }, { fillForm }] = await Promise.all([
        import("./pdf/describe-form.ts"),
        import("./pdf/fill-form.ts"),
      ]);
      return { describe: describeForm, fill: fillForm };
    },
  ],
  [
    DOCX,
    async () => {
      const { describeWord, fillWord } = await import("./word/word-template.ts");
      return office({ describe: describeWord, fill: fillWord });
    },
  ],
  [
    PPTX,
    async () => {
      const { describePowerPoint, fillPowerPoint } = await import("./powerpoint/powerpoint-template.ts");
      return office({ describe: describePowerPoint, fill: fillPowerPoint });
    },
  ],
  [
    XLSX,
    async () => {
      const { describeExcel, fillExcel } = await import("./excel/excel-template.ts");
      return office({ describe: describeExcel, fill: fillExcel });
    },
  ],
]);

/** @throws UnsupportedMediaType for a format that is no template */
export async function templateFormat(mimeType: string): Promise<TemplateFormat> {
  const load = FORMATS.get(mimeType);
  if (load === undefined) {
    throw new UnsupportedMediaType("A template is a PDF with a form, or a document of Word, PowerPoint or Excel");
  }
  return load();
}
