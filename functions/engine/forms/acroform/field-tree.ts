/**
 * The fields of a form: the tree under the catalog's /AcroForm, and widgets that stand on pages but not in the tree.
 */
import { PDFDict, PDFName, type PDFObject } from "@cantoo/pdf-lib";
import { UnprocessableEntity } from "../../../ports/errors.ts";
import { type FormPage, isWidget } from "./form-pages.ts";
import { ancestorChain, dictOf, entry, listOf, textOf } from "./pdf-values.ts";

/** Attributes that a field inherits from its ancestors (PDF 32000-1, table 220, and those of variable text). */
const INHERITED_ATTRIBUTES = ["FT", "Ff", "V", "DV", "MaxLen", "Opt"] as const;
export type FieldAttributes = Partial<Record<(typeof INHERITED_ATTRIBUTES)[number], PDFObject>>;

export interface TreeField {
  /** Full name, with the names of its ancestors. */
  name: string;
  dict: PDFDict;
  attributes: FieldAttributes;
  widgets: PDFDict[];
}

const MAX_TREE_NODES = 200_000;
const REPEATED_SENTENCE =
  "The PDF's form lists the same groups of fields again and again; print it to a new PDF and send that";
/** Levels of nested fields. A deeper tree is made to cost time. */
const MAX_TREE_DEPTH = 64;

/**
 * Branches of the tree that it may name again. Each can double the paths through it, which pdfium follows one by one:
 * 2¹⁶ take less than a second.
 */
const MAX_REPEATED_BRANCHES = 16;

interface TreeNode {
  dict: PDFDict;
  name: string;
  attributes: FieldAttributes;
  depth: number;
}

function withInherited(dict: PDFDict, above: FieldAttributes): FieldAttributes {
  const attributes = { ...above };
  for (const key of INHERITED_ATTRIBUTES) {
    const own = entry(dict, key);
    if (own !== undefined) attributes[key] = own;
  }
  return attributes;
}

const joinNames = (above: string, own: string | undefined): string =>
  own === undefined || own === "" ? above : above === "" ? own : `${above}.${own}`;

const hasKey = (dict: PDFDict, key: string): boolean => dict.has(PDFName.of(key));

/** A kid with a name, or with kids of its own, is a field; other kids are widgets of the field above. */
const isField = (kid: PDFDict): boolean => hasKey(kid, "T") || hasKey(kid, "Kids");

/**
 * Walks the tree from the top and visits each node once.
 * @param seen visited nodes, shared with the caller
 * @throws UnprocessableEntity for a tree that names its branches again and again
 */
function walkFields(roots: readonly PDFObject[], seen: Set<PDFDict>): TreeField[] {
  const fields: TreeField[] = [];
  const stack: TreeNode[] = [];
  let repeated = 0;
  const push = (objects: readonly PDFObject[], above: Omit<TreeNode, "dict">): void => {
    for (let index = objects.length - 1; index >= 0; index -= 1) {
      const object = objects[index];
      if (object instanceof PDFDict) stack.push({ dict: object, ...above });
    }
  };
  push(roots, { name: "", attributes: {}, depth: 0 });
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const { dict, depth } = node;
    if (seen.has(dict)) {
      if (hasKey(dict, "Kids")) repeated += 1;
      if (repeated > MAX_REPEATED_BRANCHES) throw new UnprocessableEntity(REPEATED_SENTENCE);
      continue;
    }
    if (seen.size >= MAX_TREE_NODES) continue;
    seen.add(dict);
    const name = joinNames(node.name, textOf(entry(dict, "T")));
    const attributes = withInherited(dict, node.attributes);
    const kids = depth < MAX_TREE_DEPTH ? listOf(dict, "Kids", MAX_TREE_NODES) : [];
    const kidWidgets = kids.filter((kid): kid is PDFDict => kid instanceof PDFDict && !isField(kid) && !seen.has(kid));
    const below = kids.filter((kid) => kid instanceof PDFDict && isField(kid));
    for (const widget of kidWidgets) seen.add(widget);
    const widgets = [
      ...(isWidget(dict) || (hasKey(dict, "Rect") && kids.length === 0) ? [dict] : []),
      ...new Set(kidWidgets),
    ];
    if (below.length === 0 || widgets.length > 0) fields.push({ name, dict, attributes, widgets });
    push(below, { name, attributes, depth: depth + 1 });
  }
  return fields;
}

/** The field of a widget outside the tree, from the widget's own chain of parents. */
function orphanField(widget: PDFDict): TreeField {
  const chain = ancestorChain(widget);
  const dict = chain.find((one) => hasKey(one, "T")) ?? widget;
  let attributes: FieldAttributes = {};
  let name = "";
  for (const one of [...chain].reverse()) {
    attributes = withInherited(one, attributes);
    name = joinNames(name, textOf(entry(one, "T")));
  }
  return { name, dict, attributes, widgets: [widget] };
}

/** Merges fields of one full name and one type into one field (12.7.3.2). */
function mergeByName(fields: readonly TreeField[]): TreeField[] {
  const merged: TreeField[] = [];
  const known = new Map<string, TreeField>();
  for (const field of fields) {
    const key = `${String(field.attributes.FT)} ${field.name}`;
    const before = field.name === "" ? undefined : known.get(key);
    if (before === undefined) {
      const own = { ...field, widgets: [...field.widgets] };
      merged.push(own);
      known.set(key, own);
    } else {
      before.widgets.push(...field.widgets);
      before.attributes = { ...field.attributes, ...before.attributes };
    }
  }
  return merged;
}

/**
 * Reads every field that has a type: fields of the tree in its order, then fields of widgets that only pages list.
 * Loops, and trees deeper than any real form, end where they begin.
 */
export function readFields(catalog: PDFDict, pages: readonly FormPage[]): TreeField[] {
  const form = dictOf(catalog, "AcroForm");
  const seen = new Set<PDFDict>();
  const fields = form === undefined ? [] : walkFields(listOf(form, "Fields", MAX_TREE_NODES), seen);
  const orphans = pages.flatMap(({ widgets }) => widgets.filter((widget) => !seen.has(widget)).map(orphanField));
  return mergeByName([...fields, ...orphans]).filter(({ attributes }) => attributes.FT instanceof PDFName);
}
