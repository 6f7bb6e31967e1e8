/** Makes the fields of a form part of its pages. */
import { PDFArray, PDFDict, type PDFDocument, PDFName, type PDFRef, PDFStream } from "@cantoo/pdf-lib";
import { type FormPage, isWidget } from "../../forms/acroform/form-pages.ts";
import {
  ancestorChain,
  dictOf,
  entry,
  numberOf,
  rectangleOf,
  resolveReferences,
} from "../../forms/acroform/pdf-values.ts";
import { shownState } from "./fill-toggle.ts";

/** Widget flags (PDF 32000-1, table 165): hidden, and not viewed. */
const UNSEEN_FLAGS = 0b10 | 0b100000;

const round = (value: number): number => Math.round(value * 10_000) / 10_000;

/** The stream that a widget shows: of its state, where it has several. */
function shownStream(widget: PDFDict): { ref: PDFRef; stream: PDFStream } | undefined {
  const appearances = dictOf(widget, "AP");
  if (appearances === undefined) return undefined;
  let holder: PDFDict = appearances;
  let key = PDFName.of("N");
  const normal = entry(appearances, "N");
  if (normal instanceof PDFDict) {
    const state = shownState(widget);
    if (state === undefined) return undefined;
    [holder, key] = [normal, PDFName.of(state)];
  }
  const value = holder.get(key);
  const stream = resolveReferences(widget.context, value);
  if (!(stream instanceof PDFStream)) return undefined;
  const ref = value !== undefined && value !== stream ? (value as PDFRef) : widget.context.register(stream);
  return { ref, stream };
}

type Matrix = readonly [number, number, number, number, number, number];

/** The matrix that brings an appearance's box into its widget's rectangle (algorithm 8.1 of 12.5.5). */
export function appearanceMatrix(stream: PDFStream, rect: readonly number[]): Matrix | undefined {
  const box = rectangleOf(entry(stream.dict, "BBox"));
  if (box === undefined) return undefined;
  const given = entry(stream.dict, "Matrix");
  const numbers = given instanceof PDFArray ? given.asArray().map((one) => numberOf(one) ?? 0) : [];
  const [a, b, c, d, e, f] = numbers.length === 6 ? (numbers as unknown as Matrix) : [1, 0, 0, 1, 0, 0];
  const corners = [
    [box[0], box[1]],
    [box[2], box[1]],
    [box[0], box[3]],
    [box[2], box[3]],
  ].map(([x = 0, y = 0]) => [a * x + c * y + e, b * x + d * y + f] as const);
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const [left, bottom] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - bottom];
  const [rx0 = 0, ry0 = 0, rx1 = 0, ry1 = 0] = rect;
  if (!(width > 0 && height > 0 && rx1 > rx0 && ry1 > ry0)) return undefined;
  const [sx, sy] = [(rx1 - rx0) / width, (ry1 - ry0) / height];
  return [sx, 0, 0, sy, rx0 - left * sx, ry0 - bottom * sy];
}

/** The page's own dictionary of resources for external objects. */
function pageObjects(document: PDFDocument, page: FormPage): PDFDict {
  const owner = ancestorChain(page.dict).find((one) => dictOf(one, "Resources") !== undefined);
  const shared = dictOf(owner, "Resources");
  // Copies: pages may share their resources.
  const resources = (shared?.clone() ?? document.context.obj({})) as PDFDict;
  const objects = (dictOf(resources, "XObject")?.clone() ?? document.context.obj({})) as PDFDict;
  resources.set(PDFName.of("XObject"), objects);
  page.dict.set(PDFName.of("Resources"), resources);
  return objects;
}

/** Puts content after that of a page, whose own graphics state is kept apart from it. */
function appendContent(document: PDFDocument, page: FormPage, operators: string): void {
  const { context } = document;
  const before = page.dict.get(PDFName.of("Contents"));
  const resolved = resolveReferences(context, before);
  const parts = resolved instanceof PDFArray ? resolved.asArray() : before === undefined ? [] : [before];
  const open = context.register(context.stream("q\n"));
  const rest = context.register(context.flateStream(`\nQ\n${operators}\n`));
  page.dict.set(PDFName.of("Contents"), context.obj([open, ...parts, rest]));
}

function flattenPage(document: PDFDocument, page: FormPage): void {
  const annotations = entry(page.dict, "Annots");
  if (!(annotations instanceof PDFArray)) return;
  const kept: PDFRef[] = [];
  const shown: string[] = [];
  let objects: PDFDict | undefined;
  for (const annotation of annotations.asArray()) {
    const widget = resolveReferences(document.context, annotation);
    if (!(widget instanceof PDFDict) || !isWidget(widget)) {
      kept.push(annotation as PDFRef);
      continue;
    }
    const rect = rectangleOf(entry(widget, "Rect"));
    const found = ((numberOf(entry(widget, "F")) ?? 0) & UNSEEN_FLAGS) === 0 ? shownStream(widget) : undefined;
    const matrix = found === undefined || rect === undefined ? undefined : appearanceMatrix(found.stream, rect);
    if (found === undefined || matrix === undefined) continue;
    objects ??= pageObjects(document, page);
    const name = `SheafField${objects.keys().length + 1}`;
    objects.set(PDFName.of(name), found.ref);
    found.stream.dict.set(PDFName.of("Type"), PDFName.of("XObject"));
    found.stream.dict.set(PDFName.of("Subtype"), PDFName.of("Form"));
    shown.push(`q ${matrix.map(round).join(" ")} cm /${name} Do Q`);
  }
  if (kept.length === 0) page.dict.delete(PDFName.of("Annots"));
  else page.dict.set(PDFName.of("Annots"), document.context.obj(kept));
  if (shown.length > 0) appendContent(document, page, shown.join("\n"));
}

/** Draws what every visible widget shows onto its page, and removes the widgets, the fields and the form. */
export function flattenForm(document: PDFDocument, pages: readonly FormPage[]): void {
  for (const page of pages) flattenPage(document, page);
  document.catalog.delete(PDFName.of("AcroForm"));
}
