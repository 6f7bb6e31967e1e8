/** What was read of a document's pages: pictures, layout, quality. */
import * as z from "zod";
import { ofDocument } from "../core/batches/place.ts";
import { type ExtraKind, findExtra, findFigure } from "../core/jobs/extras.ts";
import { findPageImage } from "../core/jobs/images.ts";
import { findLayout, findOcrQuality, LAYOUT_PARTS } from "../core/jobs/readings.ts";
import { route } from "./http/route.ts";
import { documentQuery, guidParams, integerParameter, pageListParameter } from "./schemas/common.ts";
import { AcroForm, Barcodes, Figures, LayoutView, OcrQuality } from "./schemas/readings.ts";

const TAG = "Pages";
const MAX_INDEX = 999_999;

const partsParameter = z
  .string()
  .transform((text, context) => {
    const parts = new Set(text.split(",").map((part) => part.trim().toLowerCase()));
    const unknown = [...parts].find((part) => !LAYOUT_PARTS.some((one) => one === part));
    if (unknown === undefined) return LAYOUT_PARTS.filter((part) => parts.has(part));
    context.issues.push({ code: "custom", message: `must name some of ${LAYOUT_PARTS.join(", ")}`, input: text });
    return z.NEVER;
  })
  .meta({
    openapi: { type: "string", description: `Comma-separated, of ${LAYOUT_PARTS.join(", ")}; words when absent` },
  });

export const image = route({
  method: "GET",
  path: "/job/image/{guid}/{pageIndex}",
  scope: "read",
  tag: TAG,
  summary: "A page as a picture",
  description: "PNG at 150 pixels an inch, as a viewer shows the page. `pageIndex` counts from 0.",
  params: guidParams.extend({ pageIndex: integerParameter(0, MAX_INDEX) }),
  query: documentQuery.pick({ batchIndex: true }),
  errors: [400, 404, 422],
  replies: { 200: { description: "The picture", contentTypes: ["image/png"] } },
  async run({ params, query }, { org }) {
    const find = (guid: string) => findPageImage(org, guid, params.pageIndex);
    return { kind: "blob", status: 200, blob: await ofDocument(org, { ...params, ...query }, find) };
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
    return { kind: "blob", status: 200, blob: await ofDocument(org, { ...params, ...query }, find) };
  },
});

export const layout = route({
  method: "GET",
  path: "/job/result/{guid}/layout",
  scope: "read",
  tag: TAG,
  summary: "Words and their places",
  description:
    "`content` is the text of all pages, words with single spaces, pages with line feeds between them; `span` counts its UTF-16 code units from the document's beginning, also where only some pages are asked for. Polygons run clockwise from the top left corner of the word, in inches of the page as shown.",
  params: guidParams,
  query: documentQuery.extend({ pages: pageListParameter().optional(), include: partsParameter.optional() }),
  errors: [400, 404],
  replies: { 200: { description: "The layout", schema: LayoutView } },
  async run({ params, query }, { org }) {
    const { pages, include } = query;
    const wanted = { ...(pages ? { pages } : {}), parts: include ?? (["words"] as const) };
    const find = (guid: string, run?: number) => findLayout(org, guid, { ...wanted, ...(run ? { run } : {}) });
    return { kind: "blob", status: 200, blob: await ofDocument(org, { ...params, ...query }, find) };
  },
});

/** Of the newest run that asked for them, which need not be the newest of all. */
const NEWEST = { newest: true };

/** What a run found beside the text: a list or record of its own. */
const extra = (kind: ExtraKind, path: string, summary: string, description: string, schema: z.ZodType) =>
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
      return { kind: "blob", status: 200, blob: await ofDocument(org, { ...params, ...query }, find, NEWEST) };
    },
  });

export const barcodes = extra(
  "barcodes",
  "/job/result/{guid}/barcodes",
  "The barcodes that were found",
  "Of the newest run that asked for them. Swiss QR-bills, EPC transfers and GS1 codes have a `payload` with their fields, and the faults that they have by their own rules.",
  Barcodes,
);

export const acroForm = extra(
  "acroForm",
  "/job/result/{guid}/acroform-metadata",
  "The form of the document",
  "Of the newest run that asked for it by `acroFormMetadata`.",
  AcroForm,
);

export const figures = extra(
  "figures",
  "/job/figures/{guid}",
  "The figures of the document",
  "Of the newest run that asked for them by `extractFigures` or `describeFigures`.",
  Figures,
);

export const figure = route({
  method: "GET",
  path: "/job/figure/{guid}/{imageId}",
  scope: "read",
  tag: TAG,
  summary: "One figure",
  params: guidParams.extend({ imageId: z.string().meta({ openapi: { type: "string" } }) }),
  query: documentQuery,
  errors: [400, 404],
  replies: { 200: { description: "The image", contentTypes: ["image/png", "image/jpeg"] } },
  async run({ params, query }, { org }) {
    const find = (guid: string, run?: number) => findFigure(org, guid, params.imageId, run);
    return { kind: "blob", status: 200, blob: await ofDocument(org, { ...params, ...query }, find, NEWEST) };
  },
});

export const pageRoutes = [image, ocrQuality, layout, barcodes, acroForm, figures, figure];
