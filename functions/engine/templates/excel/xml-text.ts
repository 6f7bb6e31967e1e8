/** XML parts as text that is safe to edit: well-formed, without a document type, within the limits of reading. */
import { corrupted } from "../../readers/office/office-package.ts";
import { xmlDecoder } from "../../readers/office/xml-encoding.ts";
import { readXml, type XmlBudget } from "../../readers/office/xml-parts.ts";
import type { TemplatePackage } from "../office/template-package.ts";

/**
 * @returns undefined for a part that is not there
 * @throws JobFailure: corrupted for malformed XML; more elements than can be processed
 */
export function readXmlText(office: TemplatePackage, name: string, budget: XmlBudget): string | undefined {
  const part = office.read(name);
  if (part === undefined) return undefined;
  // Old drawings are often written like HTML.
  if (!/\.vml$/i.test(name)) readXml(part, { whole: () => false, take: () => {} }, budget);
  try {
    const text = xmlDecoder(part).decode(part);
    // It is written back as UTF-8.
    return text.replace(/^\ufeff?(<\?xml[^>]*?encoding\s*=\s*["'])[^"']*/, "$1UTF-8");
  } catch (error) {
    throw corrupted(error);
  }
}
