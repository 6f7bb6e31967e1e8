/** Renders the tree of a slide with values: sections are repeated, tags replaced. The template's tree stays as it is. */
import type { Json } from "../../../ports/json.ts";
import { badValue, textValue } from "../field-values.ts";
import type { RenderedItems } from "../office/rendered-items.ts";
import { lookUp, sectionScopes, type TagExpression, type TagScope } from "../office/tag-expression.ts";
import { fieldName } from "../office/tag-fields.ts";
import { applyFilters } from "../office/tag-formats.ts";
import {
  childNode,
  childNodes,
  descendants,
  localName,
  sameNamespace,
  type XmlNode,
  xmlText,
} from "../office/xml-tree.ts";
import { isImageReference } from "../template.ts";
import type { DeckSections, Section } from "./deck-sections.ts";
import type { TagSpot } from "./deck-tags.ts";
import { paragraphText, runWith } from "./paragraph-tags.ts";
import { settleRows } from "./table-rows.ts";

/** Takes the place of a shape; undefined takes the shape out. */
export type ReplaceShape = (shape: XmlNode, value: Json | undefined, spot: TagSpot) => XmlNode | undefined;

export interface RenderContext {
  sections: DeckSections;
  items: RenderedItems;
  replaceShape: ReplaceShape;
}

/** Elements of a subtree. */
const weights = new WeakMap<XmlNode, number>();
function weightOf(node: XmlNode): number {
  const known = weights.get(node);
  if (known !== undefined) return known;
  const weight = childNodes(node).reduce((sum, child) => sum + weightOf(child), 1);
  weights.set(node, weight);
  return weight;
}

/** The value of a tag, formatted; undefined where there is none. @throws BadRequest */
export const tagValue = ({ path, filters }: TagExpression, scope: TagScope): Json | undefined =>
  applyFilters(lookUp(scope, path), filters, fieldName(path));

/** A value's runs in the look of the tag: a line break for each new line. */
function valueRuns(run: XmlNode, text: string): XmlNode[] {
  const properties = childNode(run, "rPr");
  const lines = xmlText(text)
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .split("\n");
  return lines.flatMap((line, index) => {
    const before: XmlNode = {
      name: sameNamespace(run, "br"),
      attributes: {},
      children: properties === undefined ? [] : [properties],
    };
    return [...(index === 0 ? [] : [before]), ...(line === "" ? [] : [runWith(run, line)])];
  });
}

export class SlideRenderer {
  readonly #context: RenderContext;
  /** Elements with a tag in them; all others are taken over as they are. */
  readonly #touched: ReadonlySet<XmlNode>;

  /** @param touched elements with a tag in them */
  constructor(context: RenderContext, touched: ReadonlySet<XmlNode>) {
    this.#context = context;
    this.#touched = touched;
  }

  /** @throws BadRequest for values that tags do not take, and beyond the budget */
  render(root: XmlNode, scope: TagScope): XmlNode {
    return this.#node(root, scope)[0] ?? root;
  }

  #node(node: XmlNode, scope: TagScope): XmlNode[] {
    const spot = this.#context.sections.spots.get(node);
    if (spot !== undefined && spot.paragraph !== undefined) return this.#run(node, spot, scope);
    if (spot !== undefined) return this.#picture(node, spot, scope);
    if (!this.#touched.has(node)) return [node];
    const picture = this.#pictureText(node, scope);
    if (picture !== undefined) return picture;
    const children = this.#children(node, scope);
    const name = localName(node);
    if (name === "p" && this.#isOnlySections(node)) return [];
    if (name === "tr" && this.#isSectionRow(node)) return [];
    if (name === "txBody" && !children.some((child) => localName(child) === "p")) {
      children.push({ name: this.#paragraphName(node), attributes: {}, children: [] });
    }
    const rendered = { ...node, children };
    return [name === "tbl" ? settleRows(rendered, node) : rendered];
  }

  #paragraphName(body: XmlNode): string {
    return childNode(body, "p")?.name ?? "a:p";
  }

  /** The children of an element, its sections repeated. */
  #children(node: XmlNode, scope: TagScope): XmlNode[] {
    const children = childNodes(node);
    const sections = this.#context.sections.inside.get(node);
    if (sections === undefined) return children.flatMap((child) => this.#node(child, scope));
    const places = new Map(children.map((child, index) => [child, index]));
    const placeOf = (child: XmlNode | undefined): number => (child === undefined ? -1 : (places.get(child) ?? -1));
    const starts = new Map<number, PlacedSection[]>();
    for (const section of sections) {
      const at = placeOf(section.from);
      const known = starts.get(at) ?? [];
      starts.set(at, known);
      known.push({ section, to: placeOf(section.to) });
    }
    return this.#range({ children, starts }, { from: 0, to: children.length - 1, entered: 0 }, scope);
  }

  #range(list: PlacedSections, { from, to, entered }: Range, scope: TagScope): XmlNode[] {
    const out: XmlNode[] = [];
    const { children, starts } = list;
    for (let at = from; at <= to; ) {
      const inside = at === from ? entered : 0;
      const next = starts.get(at)?.[inside];
      if (next === undefined) {
        const child = children[at];
        if (child !== undefined) out.push(...this.#node(child, scope));
        at += 1;
        continue;
      }
      const weight = children.slice(at, next.to + 1).reduce((sum, child) => sum + weightOf(child), 0);
      const range = { from: at, to: next.to, entered: inside + 1 };
      for (const one of sectionScopes(scope, next.section.path, next.section.inverted)) {
        this.#context.items.add();
        this.#context.items.addElements(weight);
        // One by one: a call takes a hundred thousand arguments at most.
        for (const node of this.#range(list, range, one)) out.push(node);
      }
      at = next.to + 1;
    }
    return out;
  }

  #run(run: XmlNode, spot: TagSpot, scope: TagScope): XmlNode[] {
    if (!("expression" in spot.tag)) return [];
    const { expression } = spot.tag;
    const value = tagValue(expression, scope);
    if (value === undefined || value === null || value === "") return [];
    const name = fieldName(expression.path);
    if (isImageReference(value)) {
      throw badValue(
        name,
        `The field ${name} stands among other text, which takes no picture; give it a shape of its own`,
      );
    }
    const text = textValue(name, value);
    this.#context.items.addText(text.length);
    return valueRuns(run, text);
  }

  #picture(shape: XmlNode, spot: TagSpot, scope: TagScope): XmlNode[] {
    if (!("expression" in spot.tag)) return [];
    const replaced = this.#context.replaceShape(shape, tagValue(spot.tag.expression, scope), spot);
    return replaced === undefined ? [] : [replaced];
  }

  /** A shape whose whole text is a tag that a picture is given for. */
  #pictureText(shape: XmlNode, scope: TagScope): XmlNode[] | undefined {
    if (localName(shape) !== "sp") return undefined;
    const body = childNode(shape, "txBody");
    const runs = body === undefined ? [] : childNodes(body).flatMap((one) => childNodes(one));
    const texts = runs.filter((one) => ["r", "fld"].includes(localName(one)));
    const only = texts.filter((run) => paragraphText({ name: "a:p", attributes: {}, children: [run] }).trim() !== "");
    const [run] = only;
    const spot = run === undefined || only.length > 1 ? undefined : this.#context.sections.spots.get(run);
    if (spot === undefined || !("expression" in spot.tag)) return undefined;
    const value = tagValue(spot.tag.expression, scope);
    const asks = spot.tag.kind === "picture" || (value !== undefined && isImageReference(value));
    if (!asks) return undefined;
    const replaced = this.#context.replaceShape(shape, value, spot);
    return replaced === undefined ? [] : [replaced];
  }

  /** True for a paragraph with nothing but tags of sections that hold whole paragraphs, rows or slides. */
  #isOnlySections(paragraph: XmlNode): boolean {
    const content = childNodes(paragraph).filter((one) => !["pPr", "endParaRPr"].includes(localName(one)));
    const solid = content.filter(
      (one) => !(localName(one) === "r" && paragraphText({ name: "", attributes: {}, children: [one] }).trim() === ""),
    );
    const own = this.#context.sections.inside.get(paragraph);
    return (
      solid.length > 0 &&
      own === undefined &&
      solid.every((one) => {
        const tag = this.#context.sections.spots.get(one)?.tag;
        return tag !== undefined && !("expression" in tag);
      })
    );
  }

  /** True for a row of the template that has text, all of it tags of sections. */
  #isSectionRow(row: XmlNode): boolean {
    const paragraphs = [...descendants(row, "p")].filter((one) => paragraphText(one).trim() !== "");
    return paragraphs.length > 0 && paragraphs.every((one) => this.#isOnlySections(one));
  }
}

interface PlacedSection {
  section: Section;
  /** Index of its last child. */
  to: number;
}

/** The children of an element, and the sections by the index of their first child, those around others first. */
interface PlacedSections {
  children: XmlNode[];
  starts: ReadonlyMap<number, readonly PlacedSection[]>;
}

interface Range {
  /** Indexes of the first and the last child. */
  from: number;
  to: number;
  /** Number of sections from the first child on that the range is inside of. */
  entered: number;
}

/** The elements on the way to tags, from the roots of the parts. */
export function touchedElements(roots: readonly XmlNode[], spots: ReadonlyMap<XmlNode, unknown>): Set<XmlNode> {
  const touched = new Set<XmlNode>();
  const visit = (node: XmlNode): boolean => {
    let found = spots.has(node);
    for (const child of node.children) if (typeof child !== "string" && visit(child)) found = true;
    if (found) touched.add(node);
    return found;
  };
  for (const root of roots) visit(root);
  return touched;
}
