/**
 * Extraction without a model, by rules: the schema names the values, the page shows them. Pure and deterministic. Precision
 * comes before recall: doubtful values are null.
 */

import type { Layout } from "../../../ports/layout.ts";
import { pointTo } from "../../schema/json-pointer.ts";
import type { ParsedSchema } from "../../schema/parsed-schema.ts";
import type { Shape } from "../../schema/schema-shape.ts";
import { attestedNode } from "../einvoice/attest.ts";
import { buildContext, type DocumentContext } from "./document-context.ts";
import { meaningOf } from "./field-meaning.ts";
import { ownLabels } from "./find-labels.ts";
import { type Extraction, nullNode, type ResultNode, toExtraction } from "./findings.ts";
import { type FormAnswers, readForm } from "./forms/form-answers.ts";
import { writtenTokens } from "./forms/form-document.ts";
import { formPairs } from "./forms/form-pairs.ts";
import { writtenItems } from "./forms/written-items.ts";
import { generalResult } from "./general-result.ts";
import { readLists } from "./items/item-lists.ts";
import { resolveField, type Target } from "./resolve-field.ts";
import { scalarList } from "./scalar-lists.ts";
import {
  type DocumentAnswers,
  documentAnswers,
  documentStarts,
  documentsOf,
  joinedNode,
  nodeInFile,
} from "./several-documents.ts";

export interface OfflineRequest {
  schema?: ParsedSchema;
  /** Ignored: without a model, only the schema counts. */
  prompt?: string;
  granularity: "auto" | "block" | "word";
}

/** Fields outside of lists, by pointer. */
const targetsOf = ({ fields }: ParsedSchema): [string, Target][] =>
  [...fields].map(([pointer, field]) => [pointer, { field, meaning: meaningOf(field), ownConcept: `own:${pointer}` }]);

function scalarNode(
  shape: Shape & { kind: "scalar" },
  pointer: string,
  { targets, form }: Pick<FoundValues, "targets" | "form">,
  context: DocumentContext,
  explain: (tried: string[], rule: string | null) => void,
): ResultNode {
  const { field } = shape;
  if (field.calculated) return nullNode("derived");
  if (field.constant !== null) return { kind: "plain", value: field.constant, reason: "constant" };
  const target = targets.get(pointer);
  if (target === undefined) return nullNode();
  const tried: string[] = [];
  const answer = form.answerOf(pointer);
  if (answer !== undefined || form.isForm) {
    tried.push("form field");
    const isFilled = answer?.kind === "value";
    explain(tried, isFilled ? "form field" : null);
    return isFilled ? { kind: "found", finding: answer.finding } : nullNode();
  }
  const finding = resolveField(target, context, tried);
  const node = attestedNode(target, finding, context);
  const isFound = node.kind === "found" || (node.kind === "plain" && node.value !== null);
  if (isFound && finding === null) tried.push("electronic invoice");
  explain(tried, isFound ? (tried.at(-1) ?? null) : null);
  return node;
}

/** How a value or a list was looked for. */
export interface Explanation {
  pointer: string;
  /** Names of the rules, in the order in which they were tried. */
  tried: string[];
  /** The rule that gave the value; null where none did. */
  rule: string | null;
  /** Number of a list's items. */
  items?: number;
}

interface FoundValues {
  targets: ReadonlyMap<string, Target>;
  form: FormAnswers;
  /** Properties outside of lists where the file holds several documents; null where it holds one. */
  parts: DocumentAnswers | null;
  /** Items of lists of objects, by the list. */
  items: ReadonlyMap<Shape, ResultNode[]>;
  explanations: Explanation[];
}

function buildNode(shape: Shape, pointer: string, found: FoundValues, context: DocumentContext): ResultNode {
  if (shape.kind === "nothing") return nullNode();
  const explain = (tried: string[], rule: string | null, items?: number): void =>
    void found.explanations.push({ pointer, tried, rule, ...(items === undefined ? {} : { items }) });
  if (shape.kind === "scalar" && found.parts !== null) {
    const node = joinedNode(pointer, found.parts);
    explain(["each document of the file"], node.kind === "found" ? "each document of the file" : null);
    return node;
  }
  if (shape.kind === "scalar") return scalarNode(shape, pointer, found, context, explain);
  if (shape.kind === "list") {
    const isOfObjects = shape.item.kind === "object";
    const read = (isOfObjects ? found.items.get(shape) : scalarList(shape, context)) ?? [];
    const items = found.form.isForm ? writtenItems(read, writtenTokens(context)) : read;
    const rule = isOfObjects ? "table" : "list of texts";
    explain([rule], items.length > 0 ? rule : null, items.length);
    return { kind: "list", items };
  }
  return {
    kind: "object",
    members: shape.members.map(({ name, shape: member }) => [
      name,
      buildNode(member, pointTo(pointer, name), found, context),
    ]),
  };
}

/** The properties outside of lists as each document of a file states them; null for a file with one. */
function readParts(
  layout: Layout,
  targets: readonly [string, Target][],
  context: DocumentContext,
): DocumentAnswers | null {
  const starts = documentStarts(context);
  if (starts.length === 1) return null;
  const { index, queries } = ownLabels(targets);
  const parts = documentsOf(layout, starts).map(({ layout: part, pagesBefore }) => {
    const own = buildContext(part, index, queries);
    const found = { targets: new Map(targets), form: readForm(targets, own) };
    return new Map(
      targets.map(([pointer, { field }]) => {
        const node = scalarNode({ kind: "scalar", field }, pointer, found, own, () => undefined);
        return [pointer, nodeInFile(node, pagesBefore)] as const;
      }),
    );
  });
  return documentAnswers(parts);
}

/**
 * Extracts the fields of a schema, or the general result (document_type, language, key_values, tables) without one. Never
 * throws for odd schemas. Every leaf of the result is in exactly one of `sources.locations` and
 * `sources.unresolved`; boxes are inches from the top left corner of the page as shown.
 * @param explanations gets one for each field and list of the schema
 */
export function extractOffline(layout: Layout, request: OfflineRequest, explanations: Explanation[] = []): Extraction {
  const shape = request.schema?.shape ?? null;
  const empty = shape === null || (shape.kind === "object" && shape.members.length === 0 && shape.open);
  const targets = request.schema === undefined ? [] : targetsOf(request.schema);
  const { index, queries } = ownLabels(targets);
  const context = buildContext(layout, index, queries);
  const root = empty
    ? generalResult(context.view, context.labels, context.conventions.language, formPairs(context))
    : buildNode(
        shape,
        "",
        {
          targets: new Map(targets),
          form: readForm(targets, context),
          parts: request.schema === undefined ? null : readParts(layout, targets, context),
          items: readLists(shape, context),
          explanations,
        },
        context,
      );
  return toExtraction(root, layout, request.granularity);
}
