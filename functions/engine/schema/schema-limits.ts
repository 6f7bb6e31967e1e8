/** Limits of a user's schema. Every other walk over a schema relies on them. */

/** Levels of nested JSON: real schemas stay below 30, and walkers of schemas recurse. */
export const MAX_SCHEMA_DEPTH = 64;
/** References (`$ref` and its kin) in one schema: each is followed once by every walk over it. */
export const MAX_REFERENCES = 10_000;
/** Characters of one reference: each step of it is looked up. */
export const MAX_REFERENCE_CHARS = 1_000;

export const REFERENCE_KEYWORDS: readonly string[] = ["$ref", "$dynamicRef", "$recursiveRef"];

const shown = (count: number): string => count.toLocaleString("en-US");

/** Finds the limit that a value exceeds, visiting each place once. @returns the rest of a sentence about the schema */
export function limitFault(value: unknown): string | undefined {
  let level: object[] = isContainer(value) ? [value] : [];
  let references = 0;
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_SCHEMA_DEPTH) return `is nested more than ${MAX_SCHEMA_DEPTH} levels deep`;
    const below: object[] = [];
    for (const one of level) {
      for (const member of Object.values(one)) if (isContainer(member)) below.push(member);
      if (Array.isArray(one)) continue;
      for (const keyword of REFERENCE_KEYWORDS) {
        const reference: unknown = Object.hasOwn(one, keyword) ? (one as Record<string, unknown>)[keyword] : undefined;
        if (typeof reference !== "string") continue;
        references += 1;
        if (reference.length > MAX_REFERENCE_CHARS) {
          return `has a reference of more than ${shown(MAX_REFERENCE_CHARS)} characters; give its target a shorter path`;
        }
      }
    }
    if (references > MAX_REFERENCES) return `has more than ${shown(MAX_REFERENCES)} references; use fewer`;
    level = below;
  }
  return undefined;
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;
