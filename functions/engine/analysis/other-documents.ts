/**
 * Evidence from other documents: their pages are tried for values that the document at hand leaves open, or does not
 * print. A place in another document is never a place on this one's pages. Pure.
 */
import type { Json } from "../../ports/json.ts";
import type { Layout } from "../../ports/layout.ts";
import { judgeResult } from "../confidence/judge-result.ts";
import { replaceAt } from "../confidence/withhold-unsure.ts";
import { extractOffline } from "../extraction/rules/extract-offline.ts";
import { locateValues } from "../grounding/locate-values.ts";
import type { OtherDocument, SourceLocation, SourceLocations } from "../layout/source-locations.ts";
import type { ParsedSchema } from "../schema/parsed-schema.ts";

/** Some pages of another document. */
export interface OtherPages {
  document: Omit<OtherDocument, "sourceRefs" | "pageAnchors">;
  layout: Layout;
}

export interface EvidenceRequest {
  granularity: SourceLocations["granularity"];
  schema?: ParsedSchema;
  /**
   * `fill`: read the values of null fields from the other documents. `locate`: find the values that the document does not
   * print.
   */
  purpose: "fill" | "locate";
  /** Null fields, each with the documents that may tell it, the most likely first. Without fields: all that are open. */
  fields?: { pointer: string; documents: string[] }[];
  /** Least confidence of a value. */
  minConfidence: number;
}

export interface AdoptedEvidence {
  /** Changed in place where it is an object. */
  result: Json;
  sources: SourceLocations;
  /** Pointers with the documents that their values come from. */
  adopted: { pointer: string; documentId: string }[];
}

/** What another document says. */
interface Testimony {
  document: OtherPages["document"];
  valueAt(pointer: string): Json | undefined;
  sources: SourceLocations;
}

/** The place of a value in another document: without any on the pages of this one. */
const placeIn = (document: OtherPages["document"], location: SourceLocation): SourceLocation => ({
  resolution: location.resolution,
  sourceRefs: [],
  pageAnchors: [],
  confidence: location.confidence,
  document: { ...document, sourceRefs: location.sourceRefs, pageAnchors: location.pageAnchors },
});

function testify({ document, layout }: OtherPages, result: Json, request: EvidenceRequest): Testimony {
  const { granularity, schema, purpose } = request;
  const withSchema = schema === undefined ? {} : { schema };
  const found =
    purpose === "fill"
      ? extractOffline(layout, { granularity, ...withSchema })
      : { result, ...locateValues(layout, result, { granularity, ...withSchema }) };
  const readBy = purpose === "fill" ? "rules" : "model";
  const { sources } = judgeResult({ layout, result: found.result, sources: found.sources, readBy, ...withSchema });
  // `replaceAt` gives the old value: a copy is asked, as the values are needed more than once.
  const valueAt = (pointer: string): Json | undefined =>
    replaceAt({ value: structuredClone(found.result) }, pointer, null);
  return { document, sources, valueAt };
}

/**
 * Adopts evidence of other documents. Values found there stand at their pointers, with a source location that names the
 * document and has no box on this one's pages.
 */
export function adoptEvidence(
  result: Json,
  sources: SourceLocations,
  others: readonly OtherPages[],
  request: EvidenceRequest,
): AdoptedEvidence {
  const root = { value: result };
  const testimonies = others.map((other) => testify(other, result, request));
  const open = new Set(sources.unresolved.filter(({ reason }) => reason !== "derived").map(({ pointer }) => pointer));
  const everyone = testimonies.map(({ document }) => document.documentId);
  const fields = request.fields ?? [...open].map((pointer) => ({ pointer, documents: everyone }));
  const places = new Map<string, SourceLocation>();
  const adopted: AdoptedEvidence["adopted"] = [];
  for (const { pointer, documents } of fields) {
    if (!open.has(pointer)) continue;
    for (const documentId of documents) {
      const said = testimonies.find(({ document }) => document.documentId === documentId);
      const location =
        said && Object.hasOwn(said.sources.locations, pointer) ? said.sources.locations[pointer] : undefined;
      if (said === undefined || location === undefined || location.confidence < request.minConfidence) continue;
      const value = said.valueAt(pointer);
      if (value === undefined || value === null) continue;
      if (request.purpose === "fill") replaceAt(root, pointer, value);
      places.set(pointer, placeIn(said.document, location));
      adopted.push({ pointer, documentId });
      break;
    }
  }
  return {
    result: root.value,
    adopted,
    sources: {
      ...sources,
      locations: { ...sources.locations, ...Object.fromEntries(places) },
      unresolved: sources.unresolved.filter(({ pointer }) => !places.has(pointer)),
    },
  };
}
