/** Form metadata of a PDF: every field with all its widgets. */
import { PDFDict, PDFDocument } from "@cantoo/pdf-lib";
import { BadRequest, JOB_SENTENCES, JobFailure, UnprocessableEntity } from "../../../ports/errors.ts";
import type { AcroFormField, AcroFormMetadata, AcroFormWidget, Rectangle } from "./acroform.ts";
import { refuseBracketRuns } from "./bracket-runs.ts";
import { describeField, onStateOf } from "./field-attributes.ts";
import { readFields, type TreeField } from "./field-tree.ts";
import { type FormPage, readPages, roundPoints, toShownBox } from "./form-pages.ts";
import { refuseLargeObjects } from "./large-objects.ts";
import { dictOf, entry, rectangleOf } from "./pdf-values.ts";

/** Readers search the header within these first bytes (PDF 32000-1, annex H.3.4.1). */
const HEADER_SEARCH_BYTES = 1_024;

/** Finds the page of a widget: the page that lists it as an annotation, else the page that the widget itself names. */
function widgetPageFinder(pages: readonly FormPage[]): (widget: PDFDict) => FormPage | undefined {
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
    found === undefined
      ? null
      : [roundPoints(found[0]), roundPoints(found[1]), roundPoints(found[2]), roundPoints(found[3])];
  const anchors =
    page === undefined || found === undefined
      ? []
      : [{ pageNumber: page.pageNumber, unit: "point" as const, bbox: toShownBox(page, found) }];
  return { id, pageNumber: page?.pageNumber ?? null, rect, pageAnchors: anchors };
}

function describeFields(fields: readonly TreeField[], pages: readonly FormPage[]): AcroFormField[] {
  const pageOf = widgetPageFinder(pages);
  const described: AcroFormField[] = [];
  for (const field of fields) {
    const own = describeField(field);
    if (own === undefined) continue;
    const id = `f${described.length + 1}`;
    const isToggle = own.type === "checkbox" || own.type === "radio";
    const widgets = field.widgets.map((widget, index): AcroFormWidget => {
      const state = isToggle ? onStateOf(widget) : undefined;
      const described = describeWidget(widget, `${id}w${index + 1}`, pageOf(widget));
      return state === undefined ? described : { ...described, state };
    });
    const first = widgets[0];
    described.push({ id, ...own, pageNumber: first?.pageNumber ?? null, rect: first?.rect ?? null, widgets });
  }
  return described;
}

const hasHeader = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEADER_SEARCH_BYTES)).includes("%PDF-");

/** Errors of the library for files that are not damaged, each with the sentence for the user. */
const LOAD_ERROR_SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/encrypt/i, "The PDF is encrypted in a way that cannot be undone here; send it without encryption"],
];

async function openCatalog(bytes: Uint8Array): Promise<PDFDict> {
  try {
    const document = await PDFDocument.load(bytes, {
      password: "",
      updateMetadata: false,
      throwOnInvalidObject: false,
      warnOnInvalidObjects: false,
    });
    if (document.catalog instanceof PDFDict) return document.catalog;
  } catch (cause) {
    const libraryMessage = cause instanceof Error ? cause.message : "";
    if (/password/i.test(libraryMessage)) throw new JobFailure(JOB_SENTENCES.password, { cause });
    const sentence = LOAD_ERROR_SENTENCES.find(([pattern]) => pattern.test(libraryMessage))?.[1];
    throw new UnprocessableEntity(sentence ?? "The PDF is damaged and its form cannot be read", { cause });
  }
  throw new UnprocessableEntity("The PDF is damaged and its form cannot be read");
}

/**
 * Reads a PDF's form: fields with full names, inherited attributes and all widgets, including widgets that stand on
 * pages but not in the form's field list. `rect` is in PDF user space, `bbox` in points from the top left corner of the
 * page as shown. A file that only an owner password protects opens. Values of password fields are left out.
 * @returns no fields for a PDF without a form
 * @throws BadRequest for bytes that are not a PDF; UnprocessableEntity when it is damaged; JobFailure when it needs a
 * password
 */
export async function acroFormMetadata(bytes: Uint8Array): Promise<AcroFormMetadata> {
  if (!hasHeader(bytes)) throw new BadRequest("The document is not a PDF");
  refuseBracketRuns(bytes);
  refuseLargeObjects(bytes);
  const catalog = await openCatalog(bytes);
  const pages = readPages(catalog);
  return {
    pages: pages.map(({ pageNumber, width, height }) => ({
      pageNumber,
      width: roundPoints(width),
      height: roundPoints(height),
    })),
    fields: describeFields(readFields(catalog, pages), pages),
  };
}
