/** The metadata of a PDF's form: every field, with all the places that it stands on. */
import { PDFDict, PDFDocument } from "@cantoo/pdf-lib";
import { BadRequest, UnprocessableEntity } from "../../../ports/errors.ts";
import type { AcroFormField, AcroFormMetadata, AcroFormWidget, Rectangle } from "./acroform.ts";
import { describeField } from "./field-attributes.ts";
import { readFields, type TreeField } from "./field-tree.ts";
import { type FormPage, readPages, toShown } from "./form-pages.ts";
import { dictOf, entry, rectangleOf } from "./pdf-values.ts";

/** Readers look for the header this far (PDF 32000-1, annex H.3.4.1). */
const HEADER_WITHIN = 1_024;

const round = (points: number): number => Math.round(points * 1000) / 1000;

/** The page of each widget: of those that hang on it, else the one that the widget itself names. */
function placer(pages: readonly FormPage[]): (widget: PDFDict) => FormPage | undefined {
  const byWidget = new Map(pages.flatMap((page) => page.widgets.map((widget): [PDFDict, FormPage] => [widget, page])));
  const byDict = new Map(pages.map((page) => [page.dict, page]));
  return (widget) => {
    const named = dictOf(widget, "P");
    return byWidget.get(widget) ?? (named === undefined ? undefined : byDict.get(named));
  };
}

function describeWidget(widget: PDFDict, id: string, page: FormPage | undefined): AcroFormWidget {
  const found = rectangleOf(entry(widget, "Rect"));
  const rect: Rectangle | null =
    found === undefined ? null : [round(found[0]), round(found[1]), round(found[2]), round(found[3])];
  const anchors =
    page === undefined || found === undefined
      ? []
      : [{ pageNumber: page.pageNumber, unit: "point" as const, bbox: toShown(page, found) }];
  return { id, pageNumber: page?.pageNumber ?? null, rect, pageAnchors: anchors };
}

function describe(fields: readonly TreeField[], pages: readonly FormPage[]): AcroFormField[] {
  const pageOf = placer(pages);
  const described: AcroFormField[] = [];
  for (const field of fields) {
    const own = describeField(field);
    if (own === undefined) continue;
    const id = `f${described.length + 1}`;
    const widgets = field.widgets.map((widget, index) => describeWidget(widget, `${id}w${index + 1}`, pageOf(widget)));
    const first = widgets[0];
    described.push({ id, ...own, pageNumber: first?.pageNumber ?? null, rect: first?.rect ?? null, widgets });
  }
  return described;
}

const hasHeader = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEADER_WITHIN)).includes("%PDF-");

/** How the library refuses a file that is not damaged, and what that means. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/password/i, "The PDF is protected with a password; send it without one"],
  [/encrypt/i, "The PDF is encrypted in a way that cannot be undone here; send it without encryption"],
];

async function open(bytes: Uint8Array): Promise<PDFDict> {
  try {
    const document = await PDFDocument.load(bytes, {
      password: "",
      updateMetadata: false,
      throwOnInvalidObject: false,
      warnOnInvalidObjects: false,
    });
    if (document.catalog instanceof PDFDict) return document.catalog;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : "";
    const sentence = REFUSALS.find(([told]) => told.test(message))?.[1];
    throw new UnprocessableEntity(sentence ?? "The PDF is damaged and its form cannot be read", { cause });
  }
  throw new UnprocessableEntity("The PDF is damaged and its form cannot be read");
}

/**
 * Reads a PDF's form: fields with full names, inherited attributes and all widgets, those that hang on pages without
 * standing in the form's list too. `rect` is in PDF user space, `bbox` in points from the top left corner of the page as
 * shown. A file that only its owner's password protects opens; passwords that fields hide are not told.
 * @returns no fields for a PDF without a form
 * @throws BadRequest for what is no PDF; UnprocessableEntity when it is damaged or needs a password
 */
export async function acroFormMetadata(bytes: Uint8Array): Promise<AcroFormMetadata> {
  if (!hasHeader(bytes)) throw new BadRequest("The document is not a PDF");
  const catalog = await open(bytes);
  const pages = readPages(catalog);
  return {
    pages: pages.map(({ pageNumber, width, height }) => ({ pageNumber, width: round(width), height: round(height) })),
    fields: describe(readFields(catalog, pages), pages),
  };
}
