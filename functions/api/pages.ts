/** Page readings of a document: pictures, layout, quality. */
import * as z from "zod";
import { BadRequest } from "../ports/errors.ts";
import { findInDocument } from "../service/batches/batch-document.ts";
import { type ExtraKind, findExtra, findFigure } from "../service/lifecycle/views/document-extras.ts";
import { findLayout, findOcrQuality, LAYOUT_PARTS } from "../service/lifecycle/views/document-readings.ts";
import { findOfficeImage } from "../service/lifecycle/views/office-images.ts";
import { findMarkedPageImage, findPageImage } from "../service/lifecycle/views/page-images.ts";
import { formFileRoutes } from "./form-files.ts";
import { route } from "./http/route.ts";
import {
  documentQuery,
  enumeration,
  enumerationList,
  flagParameter,
  guidParams,
  identifier,
  integerParameter,
  pageListParameter,
} from "./schemas/common.ts";
import { AcroForm, Barcodes, Figures, LayoutView, OcrQuality } from "./schemas/readings.ts";

const TAG = "Pages";
const MAX_BATCH_INDEX = 999_999;

const partsParameter = enumerationList(LAYOUT_PARTS, "words");

const MAX_POINTERS = 200;

/** JSON Pointers separated by commas. A name may contain commas because each pointer begins with a slash. */
const pointersParameter = () =>
  z
    .string()
    .transform((text, context) => {
      const pointers = text.split(/,(?=\/)/);
      if (pointers.every((one) => one.startsWith("/")) && pointers.length <= MAX_POINTERS) return pointers;
      const message = `must be at most ${MAX_POINTERS} JSON Pointers like /total,/lines/0`;
      context.issues.push({ code: "custom", message, input: text });
      return z.NEVER;
    })
    .meta({
      openapi: {
        type: "string",
        pattern: "^/",
        description:
          "JSON Pointers into the result, such as /total,/lines/*/amount: only these values, and what stands below them, are drawn; `*` is any one index or member. Asks for `locations` too",
      },
    });

const imageQuery = documentQuery.extend({
  locations: flagParameter().optional(),
  pointers: pointersParameter().optional(),
  rendered: enumeration(["office"]).optional(),
});

/** Tells of a page that was not drawn from the document itself. */
const RENDERED_HEADER = "X-Sheaf-Rendered";

const RENDERED_DOCUMENTATION = {
  [RENDERED_HEADER]: {
    description:
      "What the page was drawn from: its layout, for documents without pages of their own, or an Office program. Absent for PDFs and images, which are shown as they are",
    values: ["layout", "office"],
  },
} as const;

export const image = route({
  method: "GET",
  path: "/job/image/{guid}/{pageIndex}",
  scope: "read",
  tag: TAG,
  summary: "A page as a picture",
  description:
    "PNG at 150 pixels an inch, as a viewer shows the page. Pages of Word, Excel, PowerPoint, Markdown, CSV and text documents are drawn from their layout, so that all boxes fit: words in their boxes, rules around the cells of tables, frames for figures. `rendered=office` draws a page of a Word, Excel or PowerPoint document as LibreOffice shows it, where that is installed: its pages are counted by LibreOffice, no box fits them, and `locations` are a 400. `pageIndex` counts from 0. With `locations=true` the places that the values of a run were read from are drawn on it: green from a confidence of 0.9, orange from 0.7, else red and dashed, labelled with their JSON Pointers where there is room.",
  params: guidParams.extend({ pageIndex: integerParameter(0, MAX_BATCH_INDEX) }),
  query: imageQuery,
  errors: [400, 404, 422],
  replies: { 200: { description: "The picture", contentTypes: ["image/png"], headers: RENDERED_DOCUMENTATION } },
  async run({ params, query }, { org }) {
    const { pageIndex } = params;
    const { pointers, run, rendered, locations = pointers !== undefined } = query;
    if (rendered !== undefined && locations) {
      throw new BadRequest(
        "A page that is drawn by an Office program has no locations: leave out rendered or locations",
      );
    }
    const wanted = { pointers: pointers ?? [], ...(run === undefined ? {} : { run }) };
    const find = (guid: string, served: number | undefined) => {
      if (rendered !== undefined) return findOfficeImage(org, guid, pageIndex);
      if (locations) return findMarkedPageImage(org, guid, pageIndex, wanted);
      return findPageImage(org, guid, pageIndex, served);
    };
    const blob = await findInDocument(org, { ...params, ...query }, find);
    const headers = blob.rendered === undefined ? {} : { [RENDERED_HEADER]: blob.rendered };
    return { kind: "blob", status: 200, blob, fileName: `page-${pageIndex + 1}.png`, headers };
  },
});

export const ocrQuality = route({
  method: "GET",
  path: "/job/result/{guid}/ocr-quality",
  scope: "read",
  tag: TAG,
  summary: "How good the text of each page is",
  params: guidParams,
  query: documentQuery,
  errors: [400, 404],
  replies: { 200: { description: "The quality report", schema: OcrQuality } },
  async run({ params, query }, { org }) {
    const find = (guid: string, run?: number) => findOcrQuality(org, guid, run);
    return { kind: "blob", status: 200, blob: await findInDocument(org, { ...params, ...query }, find) };
  },
});

export const layout = route({
  method: "GET",
  path: "/job/result/{guid}/layout",
  scope: "read",
  tag: TAG,
  summary: "Words and their places",
  description:
    "`content` is the text of all pages, words with single spaces, pages with line feeds between them; `span` counts its UTF-16 code units from the document's beginning, also where only some pages are asked for. `include` may name content (the text itself), lines, blocks and fields (the labels of a form with what is filled in for each, where text recognition knows forms) of each page, and lists over all pages asked for: paragraphs, tables, figures (with the caption beside each), barcodes (those that stand in pictures and drawings of a code's size, and on pages whose text was recognised; `confidence` is 1 where the symbology corrects errors, 0.99 where it has a check digit, 0.9 where it checks nothing), sections. Polygons run clockwise from the top left corner of the word, in inches of the page as shown.",
  params: guidParams,
  query: documentQuery.extend({ pages: pageListParameter().optional(), include: partsParameter.optional() }),
  errors: [400, 404],
  replies: { 200: { description: "The layout", schema: LayoutView } },
  async run({ params, query }, { org }) {
    const { pages, include } = query;
    const parts = LAYOUT_PARTS.filter((part) => (include ?? ["words"]).includes(part));
    const wanted = { ...(pages ? { pages } : {}), parts };
    const find = (guid: string, run?: number) => findLayout(org, guid, { ...wanted, ...(run ? { run } : {}) });
    return { kind: "blob", status: 200, blob: await findInDocument(org, { ...params, ...query }, find) };
  },
});

/** Serve the newest run that requested them, not necessarily the newest run. */
const NEWEST = { newest: true };

/** Defines the route of an extra reading of a run: barcodes, figures or another list or record beside the text. */
const extraReadingRoute = (kind: ExtraKind, path: string, summary: string, description: string, schema: z.ZodType) =>
  route({
    method: "GET",
    path,
    scope: "read",
    tag: TAG,
    summary,
    description,
    params: guidParams,
    query: documentQuery,
    errors: [400, 404],
    replies: { 200: { description: summary, schema } },
    async run({ params, query }, { org }) {
      const find = (guid: string, run?: number) => findExtra(org, guid, kind, run);
      return { kind: "blob", status: 200, blob: await findInDocument(org, { ...params, ...query }, find, NEWEST) };
    },
  });

export const barcodes = extraReadingRoute(
  "barcodes",
  "/job/result/{guid}/barcodes",
  "The barcodes that were found",
  "Of the newest run that asked for them. Swiss QR-bills, EPC transfers and GS1 codes have a `payload` with their fields, and the faults that they have by their own rules.",
  Barcodes,
);

export const acroForm = extraReadingRoute(
  "acroForm",
  "/job/result/{guid}/acroform-metadata",
  "The form of the document",
  "Of the newest run that asked for it by `acroFormMetadata`; of an operation that made a form, the form's.",
  AcroForm,
);

export const figures = extraReadingRoute(
  "figures",
  "/job/figures/{guid}",
  "The figures of the document",
  "Of the newest run that asked for them by `extractFigures` or `describeFigures`. Of scans and images, those that were found when their text was recognised.",
  Figures,
);

export const figure = route({
  method: "GET",
  path: "/job/figure/{guid}/{imageId}",
  scope: "read",
  tag: TAG,
  summary: "One figure",
  params: guidParams.extend({ imageId: identifier("The figure's id") }),
  query: documentQuery,
  errors: [400, 404],
  replies: { 200: { description: "The image", contentTypes: ["image/png", "image/jpeg"] } },
  async run({ params, query }, { org }) {
    const find = (guid: string, run?: number) => findFigure(org, guid, params.imageId, run);
    const blob = await findInDocument(org, { ...params, ...query }, find, NEWEST);
    const extension = blob.contentType === "image/jpeg" ? "jpg" : "png";
    return { kind: "blob", status: 200, blob, fileName: `${params.imageId}.${extension}` };
  },
});

export const pageRoutes = [image, ocrQuality, layout, barcodes, acroForm, figures, figure, ...formFileRoutes];
