/** Compiles the tree of a Word part into a program that values fill. */
import type { ColumnSections, SpanningCell } from "./column-sections.ts";
import { emptiedControl } from "./control-markup.ts";
import type { Control } from "./controls.ts";
import type { WordField } from "./merge-fields.ts";
import type { PlacedSection } from "./place-sections.ts";
import { contentItems, endsSection } from "./visible-content.ts";
import type { HolderStep, Program, Step } from "./word-program.ts";
import { MARK, RICH_TEXT_FILTER, type WordTag } from "./word-tags.ts";
import {
  attributeOf,
  childOf,
  descendants,
  elementsIn,
  endTag,
  startTag,
  withAttribute,
  writeXml,
  type XmlElement,
  type XmlNode,
} from "./word-xml.ts";

/** What is in the tree of one part. */
export interface PartContents {
  root: XmlElement;
  tags: ReadonlyMap<XmlElement, WordTag>;
  sections: readonly PlacedSection[];
  columns: ColumnSections;
  dropped: ReadonlySet<XmlElement>;
  controls: ReadonlyMap<XmlElement, Control>;
  fields: ReadonlyMap<XmlElement, WordField>;
}

const HOLDERS: Readonly<Record<string, HolderStep["kind"]>> = {
  "w:tbl": "table",
  "w:tr": "row",
  "w:tc": "cell",
  "w:txbxContent": "story",
  "w:hdr": "story",
  "w:ftr": "story",
  "w:footnote": "story",
  "w:endnote": "story",
  "w:comment": "story",
};

/** Marks of ranges, which stay when their paragraph goes. */
const RANGE_MARKS: ReadonlySet<string> = new Set([
  "w:bookmarkStart",
  "w:bookmarkEnd",
  "w:commentRangeStart",
  "w:commentRangeEnd",
  "w:permStart",
  "w:permEnd",
]);

/** How an element that must not be empty is kept from it; a control inside a line may be. */
function holderKind(element: XmlElement): HolderStep["kind"] | undefined {
  if (element.name !== "w:sdtContent") return HOLDERS[element.name];
  return childOf(element, "w:p") === undefined && childOf(element, "w:tbl") === undefined ? undefined : "story";
}

const isRich = ({ tag }: WordTag): boolean =>
  tag.kind === "value" && tag.expression.filters.some(({ name }) => name === RICH_TEXT_FILTER);

/** Elements that a program writes each time; sections inside it count their own. */
const elementsOf = (program: Program): number =>
  program.reduce((sum, one) => {
    if (typeof one === "string") return sum + one.split("<").length - 1;
    return sum + (one.step === "holder" ? elementsOf(one.body) : 1);
  }, 0);

class PartCompiler {
  private readonly contents: PartContents;
  private readonly starts = new Map<XmlElement, PlacedSection[]>();
  private readonly ends = new Map<XmlElement, PlacedSection[]>();
  private readonly special = new Set<XmlElement>();
  private readonly order: ReadonlyMap<WordTag, number>;
  private readonly richParagraphs: ReadonlySet<XmlElement>;
  private program: Program = [];
  private readonly outer: Program[] = [];

  constructor(contents: PartContents) {
    this.contents = contents;
    this.order = new Map([...contents.tags.values()].map((tag, index) => [tag, index]));
    this.richParagraphs = new Set([...contents.tags.values()].filter(isRich).map(({ paragraph }) => paragraph));
    this.indexSections();
    const { tags, controls, fields, columns } = contents;
    const changing = [tags, controls, fields, columns.spanning].flatMap((map) => [...map.keys()]);
    for (const element of [...changing, ...columns.shared, ...this.starts.keys(), ...this.ends.keys()]) {
      for (let at: XmlElement | undefined = element; at !== undefined && !this.special.has(at); at = at.parent) {
        this.special.add(at);
      }
    }
  }

  compile(): Program {
    this.visit(this.contents.root);
    return this.program;
  }

  /** Sections that begin at one element are opened from the outer one in, and closed the other way round. */
  private indexSections(): void {
    const at = (tag: WordTag): number => this.order.get(tag) ?? 0;
    const all = [...this.contents.sections, ...this.contents.columns.sections];
    const add = (map: Map<XmlElement, PlacedSection[]>, element: XmlElement, section: PlacedSection): void => {
      map.set(element, [...(map.get(element) ?? []), section]);
    };
    for (const section of all.toSorted((a, b) => at(a.open) - at(b.open))) add(this.starts, section.first, section);
    for (const section of all.toSorted((a, b) => at(a.close) - at(b.close))) add(this.ends, section.last, section);
  }

  private emit(...nodes: (string | Step)[]): void {
    for (const node of nodes) {
      const last = this.program.length - 1;
      if (typeof node === "string" && typeof this.program[last] === "string") this.program[last] += node;
      else if (node !== "") this.program.push(node);
    }
  }

  private begin(): void {
    this.outer.push(this.program);
    this.program = [];
  }

  /** @returns what was emitted since `begin` */
  private end(): Program {
    const inner = this.program;
    this.program = this.outer.pop() ?? [];
    return inner;
  }

  private visit(node: XmlNode): void {
    if (typeof node === "string" || !this.special.has(node)) {
      this.emit(writeXml(node));
      return;
    }
    for (const _ of this.starts.get(node) ?? []) this.begin();
    this.visitInside(node);
    for (const { path, inverted, repeats, open } of this.ends.get(node) ?? []) {
      const body = this.end();
      const columns = open.columns ? open : undefined;
      this.emit({ step: "section", path, inverted, repeats, columns, elements: elementsOf(body), body });
    }
  }

  private visitInside(element: XmlElement): void {
    const { dropped, controls, fields, columns } = this.contents;
    const tag = this.contents.tags.get(element);
    const control = controls.get(element);
    const field = fields.get(element);
    const spanning = columns.spanning.get(element);
    if (tag !== undefined) this.visitTag(tag, undefined);
    else if (dropped.has(element)) this.visitDropped(element);
    else if (field !== undefined) this.emit({ step: "field", field });
    else if (control !== undefined) this.visitControl(control);
    else if (spanning !== undefined) this.visitSpanning(element, spanning);
    else if (columns.shared.has(element)) this.visitShared(element);
    else this.visitElement(element);
  }

  private visitTag({ tag, look }: WordTag, paragraph: XmlElement | undefined): void {
    if (tag.kind !== "value" && tag.kind !== "picture") return;
    const properties = paragraph === undefined ? undefined : childOf(paragraph, "w:pPr");
    this.emit({
      step: "value",
      isPicture: tag.kind === "picture",
      expression: tag.expression,
      look,
      paragraph:
        paragraph === undefined
          ? undefined
          : { open: startTag(paragraph), properties: properties === undefined ? "" : writeXml(properties) },
    });
  }

  /** Opens and closes sections by the tags of an element that goes; the end of a section of the document stays. */
  private visitDropped(element: XmlElement): void {
    let ends = endsSection(element);
    const writeEnd = (): void => {
      if (ends) this.emit(writeXml(element, writeXml(childOf(element, "w:pPr") ?? "")));
      ends = false;
    };
    for (const one of descendants(element, ({ name }) => name !== "w:pPr")) {
      if (this.starts.has(one)) writeEnd();
      if (one.name === MARK || RANGE_MARKS.has(one.name)) this.visit(one);
    }
    writeEnd();
  }

  private visitElement(element: XmlElement): void {
    const kind = holderKind(element);
    const rich = element.name === "w:p" ? this.richTag(element) : undefined;
    if (rich !== undefined) {
      this.visitTag(rich, element);
      return;
    }
    if (kind === undefined) {
      this.emit(startTag(element));
      this.visitChildren(element);
      this.emit(endTag(element));
      return;
    }
    this.begin();
    this.visitChildren(element);
    const body = this.end();
    if (body.every((one) => typeof one === "string")) this.emit(startTag(element), ...body, endTag(element));
    else this.emit({ step: "holder", kind, open: startTag(element), close: endTag(element), body });
  }

  /** The tag for rich text that is all of a paragraph; its value may become several paragraphs. */
  private richTag(paragraph: XmlElement): WordTag | undefined {
    if (!this.richParagraphs.has(paragraph)) return undefined;
    const [item, ...others] = contentItems(paragraph, this.contents.tags);
    if (item === undefined || typeof item === "string" || others.length > 0) return undefined;
    return this.starts.has(item.mark) || this.ends.has(item.mark) ? undefined : item;
  }

  private visitChildren(element: XmlElement): void {
    // A control that is filled through tags in it is bound to no other value, and asks for none.
    const isFrame = element.name === "w:sdtPr" && element.parent !== undefined && this.special.has(element.parent);
    for (const child of element.children) {
      const name = typeof child === "string" ? "" : child.name;
      if (isFrame && (name === "w:showingPlcHdr" || name.endsWith(":dataBinding"))) continue;
      if (name === "w:sdtPr" && typeof child !== "string") this.special.add(child);
      this.visit(child);
    }
  }

  private visitSpanning(element: XmlElement, { section, span, width }: SpanningCell): void {
    const [before = "", after = ""] = withAttribute(element, "w:val", "#").split("#");
    this.emit(before, { step: "span", path: section.path, span, width }, after);
  }

  private visitShared(element: XmlElement): void {
    const width = Number(attributeOf(element, "w:w"));
    // Widths in per cent or without a number stay as they are.
    if (!Number.isInteger(width)) {
      this.emit(writeXml(element));
      return;
    }
    const [before = "", after = ""] = withAttribute(element, "w:w", "#").split("#");
    this.emit(before, { step: "width", width }, after);
  }

  private visitControl(control: Control): void {
    if (control.kind !== "repeating") {
      const shown = control.isPlaceholder ? emptiedControl(control) : writeXml(control.element);
      this.emit({ step: "control", control, shown });
      return;
    }
    const { element, content, properties } = control;
    const kept = properties.children.filter(
      (child) => typeof child === "string" || !/:dataBinding$|^w:showingPlcHdr$/u.test(child.name),
    );
    const open = `${startTag(element)}${writeXml({ ...properties, children: kept })}${startTag(content)}`;
    const [first] = [...elementsIn(content)].filter(({ name }) => name === "w:sdt");
    this.begin();
    if (first !== undefined) this.visit(first);
    const item = this.end();
    this.begin();
    for (const child of content.children) this.visit(child);
    const items = this.end();
    const close = `${endTag(content)}${endTag(element)}`;
    this.emit({ step: "repeating", control, open, close, items, item, elements: elementsOf(item) });
  }
}

export const compilePart = (contents: PartContents): Program => new PartCompiler(contents).compile();
