/** Values of tags, and the texts that pieces of a cell become. */
import type { Json } from "../../../ports/json.ts";
import { badValue, textValue } from "../field-values.ts";
import type { RenderedItems } from "../office/rendered-items.ts";
import { lookUp, sectionScopes, type TagScope } from "../office/tag-expression.ts";
import { fieldName } from "../office/tag-fields.ts";
import { applyFilters } from "../office/tag-formats.ts";
import { isImageReference } from "../template.ts";
import type { CellPiece, TextRun, ValuePiece } from "./cell-text.ts";
import { cellString } from "./cell-values.ts";
import type { LoopScopes } from "./row-layout.ts";

/** Name of a tag's field, after the list that it is in. */
export const nameOf = ({ list, owner, expression }: ValuePiece): string => {
  const around = owner === undefined ? (list ?? []) : owner.path;
  return [...around, ...expression.path].join(".") || fieldName(expression.path);
};

/** The value of a tag with its filters; undefined where there is none. */
export function tagValue(piece: ValuePiece, scope: TagScope | undefined): Json | undefined {
  if (scope === undefined) return undefined;
  return applyFilters(lookUp(scope, piece.expression.path), piece.expression.filters, nameOf(piece));
}

function valueRun(piece: ValuePiece, scope: TagScope | undefined): TextRun {
  const value = tagValue(piece, scope);
  const name = nameOf(piece);
  if (value !== undefined && isImageReference(value)) {
    throw badValue(name, `The field ${name} is inside a text, which takes no picture; give it a cell of its own`);
  }
  return { text: value === undefined ? "" : cellString(textValue(name, value)), look: piece.look };
}

/**
 * Texts of pieces in turn.
 * @param scope of a section inside the cell; undefined for the cell itself
 * @throws BadRequest for a value that is no text, and for more items than a fill has
 */
export function runsOf(
  pieces: readonly CellPiece[],
  scopes: LoopScopes,
  budget: RenderedItems,
  scope?: TagScope,
): TextRun[] {
  const runs: TextRun[] = [];
  for (const piece of pieces) {
    if (piece.kind === "text") runs.push(piece);
    else if (piece.kind === "value" || piece.kind === "picture") {
      runs.push(valueRun(piece, scope ?? scopes.get(piece.owner)));
    } else if (piece.kind === "section") {
      const around = scope ?? scopes.get(piece.owner);
      const inner = around === undefined ? [] : sectionScopes(around, piece.path, piece.inverted);
      budget.add(inner.length);
      for (const one of inner) for (const run of runsOf(piece.pieces, scopes, budget, one)) runs.push(run);
    }
  }
  return runs;
}
