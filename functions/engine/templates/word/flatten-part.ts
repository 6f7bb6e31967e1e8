/** A filled part without fields: the content of its controls, and the text of its form fields. */
import { shownValue } from "./fill-field.ts";
import { type WordField, wrapFields } from "./merge-fields.ts";
import { firstLook, runMarkup } from "./run-markup.ts";
import { paragraphsIn } from "./word-parts.ts";
import { childOf, elementsIn, parseXmlPart, utf8Prolog, writeXml, type XmlElement, type XmlNode } from "./word-xml.ts";

/** Controls around content that Word makes itself, such as a table of contents; they take no value. */
const KEPT: ReadonlySet<string> = new Set([
  "w:docPartObj",
  "w:docPartList",
  "w:bibliography",
  "w:citation",
  "w:equation",
]);
const CHECKED = "\u2612";
const UNCHECKED = "\u2610";

const isKept = (control: XmlElement): boolean =>
  [...elementsIn(childOf(control, "w:sdtPr"))].some(({ name }) => KEPT.has(name));

class Flattener {
  private readonly fields: ReadonlyMap<XmlElement, WordField>;

  constructor(fields: ReadonlyMap<XmlElement, WordField>) {
    this.fields = fields;
  }

  write(node: XmlNode): string {
    if (typeof node === "string") return node;
    const field = this.fields.get(node);
    if (field !== undefined) return this.writeField(field);
    const content = node.name === "w:sdt" && !isKept(node) ? childOf(node, "w:sdtContent") : undefined;
    const inner = (content ?? node).children.map((child) => this.write(child)).join("");
    return content === undefined ? writeXml(node, inner) : inner;
  }

  private writeField(field: WordField): string {
    const { kind, element, separate, end } = field;
    const look = firstLook(element);
    if (kind === "formCheckbox") return runMarkup(shownValue(field) === "true" ? CHECKED : UNCHECKED, look);
    if (kind === "formDropdown") return runMarkup(shownValue(field) ?? "", look);
    const shown = separate < 0 ? [] : element.children.slice(separate + 1, end);
    return shown.map((child) => this.write(child)).join("");
  }
}

/** @param xml of a filled part */
export function flattenPart(xml: string): string {
  const { prolog, root } = parseXmlPart(xml);
  const fields = new Map<XmlElement, WordField>();
  for (const paragraph of [...paragraphsIn(root)]) {
    for (const field of wrapFields(paragraph).fields) fields.set(field.element, field);
  }
  return `${utf8Prolog(prolog)}${new Flattener(fields).write(root)}`;
}
