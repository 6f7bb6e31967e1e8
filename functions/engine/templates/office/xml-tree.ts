/**
 * A part's XML as a tree that is written back as it was read: prefixes, order and white space stay. Comments and
 * processing instructions are dropped. Entities are never expanded.
 */
import { SaxesParser } from "saxes";
import { JobFailure } from "../../../ports/errors.ts";
import { corrupted } from "../../readers/office/office-package.ts";
import { checkText, decodedChunks } from "../../readers/office/xml-parts.ts";

export interface XmlNode {
  /** With its prefix, as written: `a:p`. */
  name: string;
  attributes: Record<string, string>;
  children: (XmlNode | string)[];
}

/** Limit for nested elements; a table in a table takes four levels. */
const MAX_DEPTH = 256;
/** Limit for elements of one part, which are held at once: the largest real parts have some hundred thousand. */
const MAX_ELEMENTS = 1_000_000;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** @throws JobFailure: corrupted for malformed XML, a document type declaration, and beyond the limits; a text that is too long */
export function parseTree(part: Uint8Array): XmlNode {
  const parser = new SaxesParser({ position: false });
  const open: XmlNode[] = [];
  let root: XmlNode | undefined;
  let elements = 0;
  const fail = (why: string): never => {
    throw new RangeError(why);
  };
  parser.on("doctype", () => fail("The part has a document type declaration"));
  parser.on("opentag", ({ name, attributes }) => {
    elements += 1;
    if (elements > MAX_ELEMENTS || open.length >= MAX_DEPTH) fail("The part is too large");
    const node: XmlNode = { name, attributes: attributes as Record<string, string>, children: [] };
    open.at(-1)?.children.push(node);
    root ??= node;
    open.push(node);
  });
  const addText = (text: string): void => {
    checkText(text);
    open.at(-1)?.children.push(text);
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    open.pop();
  });
  try {
    for (const text of decodedChunks(part)) parser.write(text);
    parser.close();
  } catch (error) {
    throw error instanceof JobFailure ? error : corrupted(error);
  }
  if (root === undefined) throw corrupted();
  return root;
}

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};
const escapeText = (text: string): string => text.replaceAll(/[&<>\r]/g, (sign) => ESCAPES[sign] ?? sign);
const escapeAttribute = (text: string): string => text.replaceAll(/[&<>"\t\n\r]/g, (sign) => ESCAPES[sign] ?? sign);

const encoder = new TextEncoder();
/** Pieces of text that are encoded at once: many small strings take far more memory than their bytes. */
const MAX_PIECES = 50_000;

class XmlWriter {
  #pieces: string[] = [];
  readonly #chunks: Uint8Array[] = [];

  add(...pieces: string[]): void {
    this.#pieces.push(...pieces);
    if (this.#pieces.length >= MAX_PIECES) this.#flush();
  }

  #flush(): void {
    this.#chunks.push(encoder.encode(this.#pieces.join("")));
    this.#pieces = [];
  }

  node(node: XmlNode | string): void {
    if (typeof node === "string") {
      this.add(escapeText(node));
      return;
    }
    this.add("<", node.name);
    for (const name in node.attributes) this.add(" ", name, '="', escapeAttribute(node.attributes[name] ?? ""), '"');
    if (node.children.length === 0) {
      this.add("/>");
      return;
    }
    this.add(">");
    for (const child of node.children) this.node(child);
    this.add("</", node.name, ">");
  }

  bytes(): Uint8Array {
    this.#flush();
    return new Uint8Array(Buffer.concat(this.#chunks));
  }
}

/** The tree as a part, UTF-8 with a declaration. */
export function writeTree(root: XmlNode): Uint8Array {
  const writer = new XmlWriter();
  writer.add(DECLARATION);
  writer.node(root);
  return writer.bytes();
}

/** The name without its prefix. */
export const localName = ({ name }: XmlNode): string => name.slice(name.indexOf(":") + 1);

/** A name with the prefix of another element. */
export const sameNamespace = ({ name }: XmlNode, local: string): string => name.slice(0, name.indexOf(":") + 1) + local;

/** The child elements, in order. */
export const childNodes = (node: XmlNode): XmlNode[] =>
  node.children.filter((child): child is XmlNode => typeof child !== "string");

/** The first child element of this local name; undefined for none, or without a parent. */
export const childNode = (node: XmlNode | undefined, local: string): XmlNode | undefined =>
  node?.children.find((child): child is XmlNode => typeof child !== "string" && localName(child) === local);

/** All descendants of this local name in order, also those inside another match. */
export function* descendants(node: XmlNode, local: string): Generator<XmlNode> {
  for (const child of node.children) {
    if (typeof child === "string") continue;
    if (localName(child) === local) yield child;
    yield* descendants(child, local);
  }
}

/** The element's own text, without that of its children. */
export const ownText = (node: XmlNode): string => node.children.filter((child) => typeof child === "string").join("");

/** A copy that shares nothing with the element. */
export const cloneNode = (node: XmlNode): XmlNode => ({
  name: node.name,
  attributes: { ...node.attributes },
  children: node.children.map((child) => (typeof child === "string" ? child : cloneNode(child))),
});

/** Signs that XML has no way to write, besides surrogates without their half. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Text that XML can hold: other signs are left out. */
export const xmlText = (text: string): string => text.toWellFormed().replaceAll(NOT_XML, "");
