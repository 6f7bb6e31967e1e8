/** Replies about the pages of a document. */
import * as z from "zod";

const share = z.number().min(0).max(1);
const category = z
  .enum(["Very Confident", "Confident", "Likely Handwriting Problems", "Many Problems"])
  .meta({ description: "By the score: from 0.85, from 0.70, from 0.40, and below" });

export const OcrQuality = z
  .looseObject({
    version: z.int(),
    provider: z.string(),
    requestedOcrMode: z.string(),
    effectiveOcrMode: z.string(),
    escalatedToPremium: z.boolean(),
    warnings: z.array(z.string()),
    qualityScore: share,
    qualityCategory: category,
    wordCount: z.int(),
    confidenceDetails: z.looseObject({
      meanTrimmed: share.nullable(),
      highConfidenceRatio: share,
      midConfidenceRatio: share,
      lowConfidenceRatio: share,
    }),
    rationale: z.string(),
    category,
    score: share,
    escalate: z.boolean(),
    pages: z.array(z.looseObject({ pageNumber: z.int().min(1), category, score: share, escalate: z.boolean() })),
  })
  .meta({ id: "OcrQuality" });

const Span = z.looseObject({ offset: z.int(), length: z.int() });
const Polygon = z.array(z.looseObject({ x: z.number(), y: z.number() }));

const Regions = z.array(z.looseObject({ pageNumber: z.int().min(1), polygon: Polygon }));
const Placed = z.looseObject({ id: z.string(), boundingRegions: Regions });

const FieldPart = z.looseObject({ content: z.string(), spans: z.array(Span), polygon: Polygon });

export const LayoutView = z
  .looseObject({
    version: z.int(),
    provider: z.string(),
    contentLength: z.int(),
    attachments: z.array(z.looseObject({ name: z.string(), mimeType: z.string(), size: z.int() })),
    contentFormat: z.literal("text").optional(),
    content: z.string().optional(),
    paragraphs: z
      .array(Placed.extend({ content: z.string(), spans: z.array(Span), role: z.string().optional() }))
      .optional(),
    tables: z
      .array(
        Placed.extend({
          rowCount: z.int(),
          columnCount: z.int(),
          spans: z.array(Span),
          cells: z.array(
            z.looseObject({ rowIndex: z.int(), columnIndex: z.int(), content: z.string(), boundingRegions: Regions }),
          ),
        }),
      )
      .optional(),
    figures: z.array(Placed.extend({ caption: z.looseObject({ content: z.string() }).optional() })).optional(),
    barcodes: z.array(Placed.extend({ format: z.string(), value: z.string(), confidence: share })).optional(),
    sections: z.array(z.looseObject({ id: z.string(), elements: z.array(z.string()) })).optional(),
    pages: z.array(
      z.looseObject({
        pageNumber: z.int().min(1),
        width: z.number(),
        height: z.number(),
        unit: z.literal("inch"),
        spans: z.array(Span),
        words: z.array(
          z.looseObject({ id: z.string(), content: z.string(), span: Span, polygon: Polygon, confidence: share }),
        ),
        fields: z.array(z.looseObject({ label: FieldPart, values: z.array(FieldPart), confidence: share })).optional(),
      }),
    ),
  })
  .meta({ id: "Layout" });

const Bbox = z.looseObject({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() });

export const Barcodes = z.array(
  z.looseObject({ format: z.string(), text: z.string(), pageNumber: z.int().min(1), bbox: Bbox }),
);

export const Figures = z
  .looseObject({
    images: z.array(
      z.looseObject({
        id: z.string(),
        pageNumber: z.int().min(1),
        bbox: Bbox.nullable(),
        width: z.int(),
        height: z.int(),
        mimeType: z.string(),
        description: z.string(),
      }),
    ),
  })
  .meta({ id: "Figures" });

const Rect = z.array(z.number()).length(4);
const FormText = z.union([z.string(), z.array(z.string())]).nullable();

export const AcroForm = z
  .looseObject({
    pages: z.array(z.looseObject({ pageNumber: z.int().min(1), width: z.number(), height: z.number() })),
    fields: z.array(
      z.looseObject({
        id: z.string(),
        name: z.string(),
        type: z.string(),
        tooltip: z.string().nullable(),
        value: FormText,
        defaultValue: FormText,
        options: z.array(z.unknown()),
        flags: z.array(z.string()),
        maxLength: z.int().nullable(),
        pageNumber: z.int().nullable(),
        rect: Rect.nullable(),
        widgets: z.array(
          z.looseObject({
            id: z.string(),
            pageNumber: z.int().min(1).nullable(),
            rect: Rect.nullable(),
            pageAnchors: z.array(z.looseObject({ pageNumber: z.int().min(1), unit: z.literal("point"), bbox: Bbox })),
          }),
        ),
      }),
    ),
  })
  .meta({ id: "AcroForm" });
