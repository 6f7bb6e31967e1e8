/** Corrections: a second answer replaces single values of the first. */
import { isObject, type Json, own, setOwn } from "../../../ports/json.ts";
import { pointerOf, stepsOf, valueAt } from "../../schema/json-pointer.ts";
import { findJson } from "../../schema/json-text.ts";

/** The strict form of corrections: values are JSON texts, because they may be of any type. */
export const CORRECTIONS_SCHEMA: Json = {
  type: "object",
  properties: {
    corrections: {
      type: "array",
      items: {
        type: "object",
        properties: {
          pointer: { type: "string", description: "JSON Pointer of the value, as given" },
          stated: { type: "boolean", description: "Whether the document states it" },
          value: { type: "string", description: 'The right value as JSON text, such as 12.5, "text" or null' },
        },
        required: ["pointer", "stated", "value"],
        additionalProperties: false,
      },
    },
  },
  required: ["corrections"],
  additionalProperties: false,
};

interface Correction {
  pointer: string;
  value: Json;
}

/** A value of an answer: JSON text, or JSON itself when the server does not enforce the form. */
function readValue(given: Json | undefined): Json {
  if (typeof given !== "string") return given ?? null;
  try {
    return JSON.parse(given) as Json;
  } catch {
    return given;
  }
}

/**
 * The corrections in an answer; null for values that the document does not state.
 * @param asked pointers that were asked about: others are ignored
 * @returns undefined for an answer without a list of corrections
 */
export function readCorrections(text: string, asked: ReadonlySet<string>): Correction[] | undefined {
  const answer = findJson(text);
  const list = isObject(answer) ? own(answer, "corrections") : answer;
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((item): Correction[] => {
    const pointer = isObject(item) ? own(item, "pointer") : undefined;
    if (!isObject(item) || typeof pointer !== "string" || !asked.has(pointer)) return [];
    return [{ pointer, value: own(item, "stated") === false ? null : readValue(own(item, "value")) }];
  });
}

/** Applies corrections to data, in place. Corrections of missing places are ignored. */
export function applyCorrections(data: Json, corrections: readonly Correction[]): Json {
  for (const { pointer, value } of corrections) {
    const steps = stepsOf(pointer);
    const last = steps.pop();
    if (last === undefined) return value;
    const parent = valueAt(data, pointerOf(steps));
    if (Array.isArray(parent) && /^\d{1,9}$/.test(last) && Number(last) < parent.length) parent[Number(last)] = value;
    else if (isObject(parent)) {
      setOwn(parent, last, value);
    }
  }
  return data;
}
