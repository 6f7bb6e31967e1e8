/** Values of a result with their places. */
import type { PageAnchor, PageBox, SourceLocations } from "../index.ts";
import type { Json } from "../json.ts";

interface Place {
  /** From 1. */
  page: number;
  box: PageBox;
  unit: "inch" | "point";
}

export interface LocatedValue extends Partial<Place> {
  [member: string]: unknown;
  /** JSON Pointer in the result. */
  pointer: string;
  value: Json;
  /** 0 to 1. */
  confidence: number;
  /** Present for a value in several places; the first one is the value's own `page` and `box`. */
  furtherPlaces?: Place[];
  /** Present for a value of another document, of a knowledge base. */
  document?: { caseId: number; documentId: string; filename: string | null };
}

/** A value without a place, and why. */
export interface UnlocatedValue {
  pointer: string;
  value: Json;
  reason: string;
}

/** The value at a JSON Pointer (RFC 6901); null where there is none. */
export function valueAt(json: Json, pointer: string): Json {
  let value: Json | undefined = json;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as Record<string, Json>)[name];
  }
  return value ?? null;
}

const placeOf = ({ pageNumber, bbox, unit }: PageAnchor): Place => ({ page: pageNumber, box: bbox, unit });

/** The values that have a place, in the order of the answer. */
export function locatedValues(result: Json, { locations }: SourceLocations): LocatedValue[] {
  return Object.entries(locations).map(([pointer, { confidence, pageAnchors, document }]) => {
    const [first, ...further] = (document?.pageAnchors ?? pageAnchors).map(placeOf);
    return {
      pointer,
      value: valueAt(result, pointer),
      ...first,
      confidence,
      ...(further.length > 0 ? { furtherPlaces: further } : {}),
      ...(document === undefined
        ? {}
        : {
            document: { caseId: document.caseId, documentId: document.documentId, filename: document.filename },
          }),
    };
  });
}

/** The values that have none. */
export const unlocatedValues = (result: Json, { unresolved }: SourceLocations): UnlocatedValue[] =>
  unresolved.map(({ pointer, reason }) => ({ pointer, value: valueAt(result, pointer), reason }));
