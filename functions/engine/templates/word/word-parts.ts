/** The parts of a Word document that hold text of its pages. */

import { xmlDecoder } from "../../readers/office/xml-encoding.ts";
import { mainPartOf, relationshipsOf } from "../office/part-relationships.ts";
import type { TemplatePackage } from "../office/template-package.ts";
import { attributeOf, childOf, descendants, elementsIn, parseXmlPart, type XmlElement } from "./word-xml.ts";

export interface WordPart {
  name: string;
  /** What a message calls it: `the body`, `header 2`. */
  label: string;
}

const LABELS: readonly (readonly [string, string])[] = [
  ["/header", "header"],
  ["/footer", "footer"],
  ["/footnotes", "the footnotes"],
  ["/endnotes", "the endnotes"],
  ["/comments", "the comments"],
];

const mainParts = new WeakMap<TemplatePackage, string>();

/** The part of the body, which is looked for once. */
export function mainWordPart(office: TemplatePackage): string {
  const main = mainParts.get(office) ?? mainPartOf(office, "word/document.xml");
  mainParts.set(office, main);
  return main;
}

/** The body first, then what its relationships lead to, each part once. */
export function wordParts(office: TemplatePackage): WordPart[] {
  const main = mainWordPart(office);
  const parts: WordPart[] = [{ name: main, label: "the body" }];
  const related = relationshipsOf(office, main).filter(({ external, target }) => !external && office.has(target));
  for (const [type, label] of LABELS) {
    const names = new Set(related.filter((one) => one.type.endsWith(type)).map(({ target }) => target));
    let number = 0;
    for (const name of names) {
      number += 1;
      parts.push({ name, label: label.startsWith("the ") ? label : `${label} ${number}` });
    }
  }
  return parts;
}

/** A part's text; undefined for one that is not there. */
export function readText(office: TemplatePackage, name: string | undefined): string | undefined {
  const bytes = name === undefined ? undefined : office.read(name);
  return bytes === undefined ? undefined : xmlDecoder(bytes).decode(bytes);
}

/** The part that a relationship of the body leads to. */
export const bodyRelated = (office: TemplatePackage, type: string): string | undefined =>
  relationshipsOf(office, mainWordPart(office)).find((one) => !one.external && one.type.endsWith(type))?.target;

/** The language of texts that state none, by the styles; undefined for none. */
export function documentLanguage(office: TemplatePackage): string | undefined {
  const text = readText(office, bodyRelated(office, "/styles"));
  const styles = text === undefined ? undefined : parseXmlPart(text).root;
  return attributeOf(childOf(styles, "w:docDefaults", "w:rPrDefault", "w:rPr", "w:lang"), "w:val");
}

/** True for a code such as `de-DE`. */
export function isLanguage(code: string | undefined): boolean {
  try {
    return code !== undefined && Intl.getCanonicalLocales(code).length > 0;
  } catch {
    return false;
  }
}

const numberOf = (properties: XmlElement | undefined): string | undefined =>
  attributeOf(childOf(properties, "w:numPr", "w:numId"), "w:val");

/** Paragraph styles of list items, with those that are based on them. */
function listStyles(styles: XmlElement): Set<string> {
  const bases = new Map<string, string | undefined>();
  const found = new Set<string>();
  for (const style of elementsIn(styles)) {
    const id = attributeOf(style, "w:styleId");
    if (style.name !== "w:style" || id === undefined) continue;
    bases.set(id, attributeOf(childOf(style, "w:basedOn"), "w:val"));
    if (numberOf(childOf(style, "w:pPr")) !== undefined) found.add(id);
  }
  for (const id of bases.keys()) {
    const seen = new Set<string>();
    let at: string | undefined = id;
    while (at !== undefined && !found.has(at) && !seen.has(at)) {
      seen.add(at);
      at = bases.get(at);
    }
    if (at !== undefined && found.has(at)) for (const one of seen) found.add(one);
  }
  return found;
}

/** Tells list items from other paragraphs: by their own numbering, else by their style's. */
export function listItemTest(office: TemplatePackage): (paragraph: XmlElement) => boolean {
  let styles: Set<string> | undefined;
  return (paragraph) => {
    const properties = childOf(paragraph, "w:pPr");
    const own = numberOf(properties);
    // The number 0 takes a paragraph out of the list of its style.
    if (own !== undefined) return own !== "0";
    const style = attributeOf(childOf(properties, "w:pStyle"), "w:val");
    if (style === undefined) return false;
    const text = styles === undefined ? readText(office, bodyRelated(office, "/styles")) : undefined;
    styles ??= text === undefined ? new Set() : listStyles(parseXmlPart(text).root);
    return styles.has(style);
  };
}

export function* paragraphsIn(root: XmlElement): Generator<XmlElement> {
  for (const element of descendants(root)) if (element.name === "w:p") yield element;
}
