/**
 * XML parts of a Word template as a tree that keeps the bytes of whatever is not changed: an element holds its start tag
 * as it is written, and text stays escaped. Names are told by their namespaces, whatever prefixes the writer chose.
 */
import { UnprocessableEntity } from "../../../ports/errors.ts";

export interface XmlElement {
  /** Name with the usual prefix of its namespace, such as `w:p`; `{namespace}name` for a namespace without one. */
  readonly name: string;
  /** Start tag as written; it ends with `/>` for an element without content. */
  open: string;
  children: XmlNode[];
  parent: XmlElement | undefined;
}

/** An element, or text, comments and instructions as they are written. */
export type XmlNode = XmlElement | string;

export interface XmlPart {
  /** Declaration, comments and white space in front of the root. */
  readonly prolog: string;
  readonly root: XmlElement;
}

/** Limit for nested elements, the one that readers have; a table in a table takes three levels. */
const MAX_DEPTH = 256;
/** Limit of elements in one part, as they are held at once: about 150 MB. */
const MAX_ELEMENTS = 1_000_000;

/** Namespaces by the end of their address, which ISO's strict variant shares; with their usual prefixes. */
const PREFIXES: readonly (readonly [RegExp, string])[] = [
  [/\/wordprocessingml\/(?:2006\/)?main$/u, "w"],
  [/\/office\/word\/2010\/wordml$/u, "w14"],
  [/\/office\/word\/2012\/wordml$/u, "w15"],
  [/\/officeDocument\/(?:2006\/)?relationships$/u, "r"],
  [/\/markup-compatibility\/2006$/u, "mc"],
  [/\/drawingml\/(?:2006\/)?main$/u, "a"],
  [/\/drawingml\/(?:2006\/)?wordprocessingDrawing$/u, "wp"],
  [/\/drawingml\/(?:2006\/)?picture$/u, "pic"],
  [/^urn:schemas-microsoft-com:vml$/u, "v"],
];

/** The name of an element as a tree has it. */
export function canonicalName(namespace: string, local: string): string {
  const known = PREFIXES.find(([address]) => address.test(namespace))?.[1];
  if (known !== undefined) return `${known}:${local}`;
  return namespace === "" ? local : `{${namespace}}${local}`;
}

/** Namespaces by prefix at one place, and the names that were told by them. */
interface Scope {
  prefixes: ReadonlyMap<string, string>;
  names: Map<string, string>;
}

const unreadable = (): UnprocessableEntity =>
  new UnprocessableEntity(
    "A part of the template is not well-formed XML; open it in Word, save it, and upload it again",
  );

function nameIn(scope: Scope, qualified: string): string {
  const known = scope.names.get(qualified);
  if (known !== undefined) return known;
  const colon = qualified.indexOf(":");
  const namespace = scope.prefixes.get(colon < 0 ? "" : qualified.slice(0, colon)) ?? "";
  const name = canonicalName(namespace, qualified.slice(colon + 1));
  scope.names.set(qualified, name);
  return name;
}

function declare(scope: Scope, tag: string): Scope {
  const prefixes = new Map(scope.prefixes);
  for (const [, prefix = "", , address = ""] of tag.matchAll(/\sxmlns(?::([\w.-]+))?\s*=\s*(["'])(.*?)\2/gsu)) {
    prefixes.set(prefix, unescapeXml(address));
  }
  return { prefixes, names: new Map() };
}

/** The index of the `>` that ends a tag. @throws UnprocessableEntity for a tag without one */
function endOfTag(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x3e) return at;
    if (code === 0x3c) break;
    if (code === 0x22 || code === 0x27) {
      at = text.indexOf(code === 0x22 ? '"' : "'", at + 1);
      if (at < 0) break;
    }
  }
  throw unreadable();
}

/** End of a comment, an instruction or a CDATA section. @throws UnprocessableEntity for a document type too */
function endOfOther(text: string, start: number): number {
  const kinds = [
    ["<!--", "-->"],
    ["<![CDATA[", "]]>"],
    ["<?", "?>"],
  ] as const;
  const kind = kinds.find(([opening]) => text.startsWith(opening, start));
  const end = kind === undefined ? -1 : text.indexOf(kind[1], start + kind[0].length);
  if (kind === undefined || end < 0) throw unreadable();
  return end + kind[1].length;
}

/** Builds a tree from tags and texts, in their order. */
class TreeBuilder {
  readonly top: XmlNode[] = [];
  private readonly scopes: Scope[] = [{ prefixes: new Map(), names: new Map() }];
  private readonly open: { element: XmlElement; qualified: string }[] = [];
  private elements = 0;

  get isInside(): boolean {
    return this.open.length > 0;
  }

  add(node: XmlNode): void {
    (this.open.at(-1)?.element.children ?? this.top).push(node);
  }

  start(tag: string): void {
    const qualified = /^<([^\s/>]+)/u.exec(tag)?.[1];
    this.elements += 1;
    if (qualified === undefined || this.open.length >= MAX_DEPTH) throw unreadable();
    if (this.elements > MAX_ELEMENTS) {
      throw new UnprocessableEntity(`A part of the template has more than ${MAX_ELEMENTS} elements`);
    }
    const outer = this.scopes.at(-1) as Scope;
    const scope = tag.includes("xmlns") ? declare(outer, tag) : outer;
    const parent = this.open.at(-1)?.element;
    const element: XmlElement = { name: nameIn(scope, qualified), open: tag, children: [], parent };
    this.add(element);
    if (tag.endsWith("/>")) return;
    this.open.push({ element, qualified });
    this.scopes.push(scope);
  }

  end(tag: string): void {
    const last = this.open.pop();
    this.scopes.pop();
    if (last === undefined || tag.slice(2, -1).trimEnd() !== last.qualified) throw unreadable();
  }
}

/** @throws UnprocessableEntity for XML that is not well-formed, has a document type, or is too deep or too large */
export function parseXmlPart(text: string): XmlPart {
  const tree = new TreeBuilder();
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf("<", at);
    if (next !== at) tree.add(text.slice(at, next < 0 ? text.length : next));
    if (next < 0) break;
    const kind = text.charAt(next + 1);
    if (kind === "!" || kind === "?") {
      at = endOfOther(text, next);
      tree.add(text.slice(next, at));
      continue;
    }
    at = endOfTag(text, next) + 1;
    const tag = text.slice(next, at);
    if (kind === "/") tree.end(tag);
    else tree.start(tag);
  }
  const roots = tree.top.filter((node) => typeof node !== "string");
  const [root] = roots;
  if (root === undefined || roots.length > 1 || tree.isInside) throw unreadable();
  return { prolog: tree.top.slice(0, tree.top.indexOf(root)).join(""), root };
}

const qualifiedName = ({ open }: XmlElement): string => /^<([^\s/>]+)/u.exec(open)?.[1] ?? "";

/** Start tag for an element with content. */
export const startTag = ({ open }: XmlElement): string =>
  open.endsWith("/>") ? `${open.slice(0, -2).trimEnd()}>` : open;
export const endTag = (element: XmlElement): string => `</${qualifiedName(element)}>`;

/** The XML of a node, with what stands in place of its content if that is given. */
export function writeXml(node: XmlNode, content?: string): string {
  if (typeof node === "string") return node;
  const inner = content ?? node.children.map((child) => writeXml(child)).join("");
  if (node.open === "") return inner;
  if (inner === "" && node.open.endsWith("/>")) return node.open;
  return `${startTag(node)}${inner}${endTag(node)}`;
}

/** The declaration of a part that is written as UTF-8, whatever it was read from. */
export const utf8Prolog = (prolog: string): string =>
  prolog.replace(/(\bencoding\s*=\s*)(["'])(?!utf-8\2)[^"']*\2/iu, '$1"UTF-8"');

export const writePart = ({ prolog, root }: XmlPart): string => `${utf8Prolog(prolog)}${writeXml(root)}`;

/** A new element, outside the tree until it is put there. */
export const newElement = (name: string, open: string, children: XmlNode[] = []): XmlElement => ({
  name,
  open,
  children,
  parent: undefined,
});

const PREDEFINED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Text with the references of XML 1.0 replaced; others stay. */
export function unescapeXml(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/giu, (whole, hex, decimal, name) => {
    if (name !== undefined) return PREDEFINED[name] ?? whole;
    const code = Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

const ESCAPES: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;" };
// Characters that XML 1.0 does not have, lone surrogates among them.
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Most texts: no character of them is escaped or left out. */
const ORDINARY = /^[\t\n\r !#-%'-;=?-\ud7ff]*$/;

/** Text as content or as an attribute's value; characters that XML does not have are left out. */
export const escapeXml = (text: string): string =>
  ORDINARY.test(text) ? text : text.replaceAll(NOT_XML, "").replaceAll(/[<>&"]/gu, (sign) => ESCAPES[sign] ?? sign);

const attributePatterns = new Map<string, RegExp>();

/** Attributes are found under the usual prefix, else under the one that their element has. */
function attributePattern(element: XmlElement, name: string): RegExp {
  const own = qualifiedName(element);
  const usual = element.name.slice(0, element.name.indexOf(":") + 1);
  const colon = own.indexOf(":");
  const isOther = usual !== "" && name.startsWith(usual) && !own.startsWith(usual) && colon > 0;
  const written = isOther ? `${own.slice(0, colon)}:${name.slice(usual.length)}` : name;
  const known = attributePatterns.get(written);
  if (known !== undefined) return known;
  const pattern = new RegExp(
    `\\s${written.replaceAll(/[.*+?^$()|[\]\\{}]/gu, "\\$&")}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`,
    "u",
  );
  if (attributePatterns.size < 1_000) attributePatterns.set(written, pattern);
  return pattern;
}

/** An attribute's value; undefined for an element without it. */
export function attributeOf(element: XmlElement | undefined, name: string): string | undefined {
  if (element === undefined) return undefined;
  const found = attributePattern(element, name).exec(element.open);
  return found === null ? undefined : unescapeXml(found[1] ?? found[2] ?? "");
}

/** A start tag with an attribute set. */
export function withAttribute(element: XmlElement, name: string, value: string): string {
  const pattern = attributePattern(element, name);
  const attribute = ` ${name}="${escapeXml(value)}"`;
  if (pattern.test(element.open)) return element.open.replace(pattern, () => attribute);
  return element.open.replace(/\s*\/?>$/u, (end) => `${attribute}${end.trimStart()}`);
}

export function* elementsIn(element: XmlElement | undefined): Generator<XmlElement> {
  for (const child of element?.children ?? []) if (typeof child !== "string") yield child;
}

/** First child of a name, and its children in turn. */
export function childOf(element: XmlElement | undefined, ...names: string[]): XmlElement | undefined {
  let at = element;
  for (const name of names) {
    if (at === undefined) return undefined;
    at = at.children.find((child): child is XmlElement => typeof child !== "string" && child.name === name);
  }
  return at;
}

/** Descendants in document order, the element itself first; none below those that `enter` refuses. */
export function* descendants(
  element: XmlElement,
  enter: (element: XmlElement) => boolean = () => true,
): Generator<XmlElement> {
  const open = [element];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    yield at;
    if (!enter(at)) continue;
    for (let index = at.children.length - 1; index >= 0; index -= 1) {
      const child = at.children[index];
      if (typeof child === "object") open.push(child);
    }
  }
}
