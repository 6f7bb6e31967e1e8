/** Values that their position identifies instead of a label: the type in a document's title, the only date of a bill. */

import { titleNaming } from "../extraction/document-type/kind-choice.ts";
import type { DocumentContext } from "../extraction/rules/document-context.ts";
import type { Finding } from "../extraction/rules/findings.ts";
import { loneDateOfBill, shownFact, toldFact } from "../extraction/rules/resolve-field.ts";
import { wordReference } from "../grounding/printed-words.ts";
import type { KnownLeaf } from "./check.ts";
import type { ValuePlace } from "./value-places.ts";

/** The confidence of the rule that finds the value by its position. */
export type UnlabelledEvidence = ReadonlyMap<KnownLeaf, number>;

function findingFor({ leaf: { field, value }, meaning }: KnownLeaf, context: DocumentContext): Finding | null {
  if (typeof value === "boolean") return null;
  const told = toldFact({ field, meaning }, context);
  if (told?.value === value) return told;
  if (typeof value !== "string") return null;
  const date = loneDateOfBill({ field, meaning }, context);
  if (date?.value === value) return date;
  const shown = meaning.concept === null ? null : shownFact({ field, meaning }, meaning.concept, context);
  return shown?.finding.value === value ? shown.finding : titleNaming(value, field, context);
}

/** The values that stand where a rule without labels finds them. */
export function evidenceOfPosition(
  places: ReadonlyMap<KnownLeaf, ValuePlace>,
  context: DocumentContext,
): UnlabelledEvidence {
  return new Map(
    [...places].flatMap(([one, place]): [KnownLeaf, number][] => {
      const finding = one.leaf.item === null ? findingFor(one, context) : null;
      const words = new Set(place.tokens.map(wordReference));
      return finding?.tokens.some((token) => words.has(wordReference(token))) ? [[one, finding.confidence]] : [];
    }),
  );
}
