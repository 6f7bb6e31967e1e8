/** The fields of a form: the tree under the catalog's /AcroForm, and what hangs on pages without standing in it. */
import { PDFDict, PDFName, type PDFObject } from "@cantoo/pdf-lib";
import { type FormPage, isWidget } from "./form-pages.ts";
import { dictOf, entry, listOf, textOf } from "./pdf-values.ts";

/** Attributes that a field has from those above it (PDF 32000-1, table 220, and of variable text). */
const INHERITED = ["FT", "Ff", "V", "DV", "MaxLen", "Opt"] as const;
export type Attributes = Partial<Record<(typeof INHERITED)[number], PDFObject>>;

export interface TreeField {
  /** Full name. */
  name: string;
  dict: PDFDict;
  attributes: Attributes;
  widgets: PDFDict[];
}

const MOST_NODES = 200_000;
/** Fields within fields; a name of more parts is made to cost time. */
const DEEPEST = 64;

interface Node {
  dict: PDFDict;
  name: string;
  attributes: Attributes;
  depth: number;
}

function withOwn(dict: PDFDict, above: Attributes): Attributes {
  const attributes = { ...above };
  for (const key of INHERITED) {
    const own = entry(dict, key);
    if (own !== undefined) attributes[key] = own;
  }
  return attributes;
}

const joined = (above: string, own: string | undefined): string =>
  own === undefined || own === "" ? above : above === "" ? own : `${above}.${own}`;

const has = (dict: PDFDict, key: string): boolean => dict.has(PDFName.of(key));

/** A kid with a name, or with kids of its own, is a field; the others are the looks of the field above. */
const isField = (kid: PDFDict): boolean => has(kid, "T") || has(kid, "Kids");

/** Walks the tree from the top, each node once. @param seen what was met, also by others */
function walk(roots: readonly PDFObject[], seen: Set<PDFDict>): TreeField[] {
  const fields: TreeField[] = [];
  const stack: Node[] = [];
  const push = (objects: readonly PDFObject[], above: Omit<Node, "dict">): void => {
    for (let index = objects.length - 1; index >= 0; index -= 1) {
      const object = objects[index];
      if (object instanceof PDFDict) stack.push({ dict: object, ...above });
    }
  };
  push(roots, { name: "", attributes: {}, depth: 0 });
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const { dict, depth } = node;
    if (seen.has(dict) || seen.size >= MOST_NODES) continue;
    seen.add(dict);
    const name = joined(node.name, textOf(entry(dict, "T")));
    const attributes = withOwn(dict, node.attributes);
    const kids = depth < DEEPEST ? listOf(dict, "Kids", MOST_NODES) : [];
    const looks = kids.filter((kid): kid is PDFDict => kid instanceof PDFDict && !isField(kid) && !seen.has(kid));
    const below = kids.filter((kid) => kid instanceof PDFDict && isField(kid));
    for (const look of looks) seen.add(look);
    const widgets = [...(isWidget(dict) || (has(dict, "Rect") && kids.length === 0) ? [dict] : []), ...new Set(looks)];
    if (below.length === 0 || widgets.length > 0) fields.push({ name, dict, attributes, widgets });
    push(below, { name, attributes, depth: depth + 1 });
  }
  return fields;
}

/** From a widget up to its topmost ancestor, itself first. */
function ancestors(widget: PDFDict): PDFDict[] {
  const chain: PDFDict[] = [];
  for (let at: PDFDict | undefined = widget; at !== undefined && chain.length < DEEPEST; at = dictOf(at, "Parent")) {
    if (chain.includes(at)) break;
    chain.push(at);
  }
  return chain;
}

/** The field of a widget that the tree does not lead to, by its own account of what is above it. */
function orphan(widget: PDFDict): TreeField {
  const chain = ancestors(widget);
  const dict = chain.find((one) => has(one, "T")) ?? widget;
  let attributes: Attributes = {};
  let name = "";
  for (const one of [...chain].reverse()) {
    attributes = withOwn(one, attributes);
    name = joined(name, textOf(entry(one, "T")));
  }
  return { name, dict, attributes, widgets: [widget] };
}

/** Fields of one full name are one field (12.7.3.2), when they are of one type. */
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
 * Every field that has a type: those of the tree in its order, then those of widgets that only the pages know. Loops and
 * depths beyond any real form end where they begin.
 */
export function readFields(catalog: PDFDict, pages: readonly FormPage[]): TreeField[] {
  const form = dictOf(catalog, "AcroForm");
  const seen = new Set<PDFDict>();
  const fields = form === undefined ? [] : walk(listOf(form, "Fields", MOST_NODES), seen);
  const orphans = pages.flatMap(({ widgets }) => widgets.filter((widget) => !seen.has(widget)).map(orphan));
  return mergeByName([...fields, ...orphans]).filter(({ attributes }) => attributes.FT instanceof PDFName);
}
