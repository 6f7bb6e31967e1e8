/**
 * XML edited as text: elements know their places in the source, and only what changes is written anew. The source has been
 * parsed before, so it is well-formed.
 */

import { corrupted } from "../../readers/office/office-package.ts";

export interface XmlNode {
  /** Without its prefix. */
  name: string;
  /** With its prefix. */
  tag: string;
  parent: XmlNode | undefined;
  children: XmlNode[];
  /** Place of the start tag. */
  start: number;
  contentStart: number;
  contentEnd: number;
  end: number;
}

const MARKUP =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<(\/?)([^\s/>]+)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>/g;

/** Limit for elements inside each other, of parts that are not parsed before; as of those that are. */
const MAX_DEPTH = 256;

const localName = (tag: string): string => tag.slice(tag.indexOf(":") + 1);

/**
 * Reads the elements of a source.
 * @param closed names of elements whose content is passed over
 */
export function parseSource(xml: string, closed: ReadonlySet<string> = new Set()): XmlNode {
  const root: XmlNode = {
    name: "",
    tag: "",
    parent: undefined,
    children: [],
    start: 0,
    contentStart: 0,
    contentEnd: xml.length,
    end: xml.length,
  };
  let open = root;
  let skipped = 0;
  let depth = 0;
  for (const { index, 0: whole, 1: slash, 2: tag = "", 4: empty } of xml.matchAll(MARKUP)) {
    if (tag === "") continue;
    const after = index + whole.length;
    if (slash === "/") {
      if (skipped > 0) skipped -= 1;
      if (skipped > 0) continue;
      open.contentEnd = index;
      open.end = after;
      open = open.parent ?? root;
      depth -= 1;
      continue;
    }
    if (skipped > 0) {
      if (empty !== "/") skipped += 1;
      continue;
    }
    const node: XmlNode = {
      name: localName(tag),
      tag,
      parent: open,
      children: [],
      start: index,
      contentStart: after,
      contentEnd: after,
      end: after,
    };
    open.children.push(node);
    if (empty === "/") continue;
    open = node;
    depth += 1;
    if (depth > MAX_DEPTH) throw corrupted();
    if (closed.has(node.name)) skipped = 1;
  }
  return root;
}

/** All elements below one, in order, each before its content. */
export function* nodesBelow(node: XmlNode): Generator<XmlNode> {
  for (const child of node.children) {
    yield child;
    yield* nodesBelow(child);
  }
}

export const childNode = (node: XmlNode | undefined, name: string): XmlNode | undefined =>
  node?.children.find((child) => child.name === name);

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Text of the source as it reads. */
export function decodeText(source: string): string {
  if (!source.includes("&") && !source.includes("<")) return source;
  return source.replace(
    /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
    (_, data?: string, hex?: string, decimal?: string, name?: string) => {
      if (data !== undefined) return data;
      if (name !== undefined) return ENTITIES[name] ?? "";
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return Number.isNaN(code) || code > 0x10ffff ? "" : String.fromCodePoint(code);
    },
  );
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** Text for the source, between tags. */
export const encodeText = (text: string): string => text.replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign);
/** Text for the source, in double quotes. */
export const encodeAttribute = (text: string): string => text.replace(/[&<>"\t\n\r]/g, (sign) => ESCAPES[sign] ?? sign);

const ATTRIBUTE = /([^\s=/<>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Attributes of a start tag, by their names with prefix. */
export function attributesOf(startTag: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single] of startTag.matchAll(ATTRIBUTE)) {
    attributes.set(name, decodeText(double ?? single ?? ""));
  }
  return attributes;
}

/** A start tag with other values of attributes; undefined removes one. Other attributes stay as written. */
export function withAttributes(startTag: string, changes: Readonly<Record<string, string | undefined>>): string {
  let tag = startTag;
  for (const [name, value] of Object.entries(changes)) {
    const written = value === undefined ? "" : ` ${name}="${encodeAttribute(value)}"`;
    const at = new RegExp(`\\s${name}\\s*=\\s*(?:"[^"]*"|'[^']*')`);
    if (at.test(tag)) tag = tag.replace(at, () => written);
    else tag = tag.replace(/\s*\/?>$/, (end) => `${written}${end.trim()}`);
  }
  return tag;
}

/** Changes of a source, applied at once. */
export class SourceEdits {
  readonly xml: string;
  readonly #edits: { start: number; end: number; text: string; order: number }[] = [];

  constructor(xml: string) {
    this.xml = xml;
  }

  get changed(): boolean {
    return this.#edits.length > 0;
  }

  startTag({ start, contentStart }: XmlNode): string {
    return this.xml.slice(start, contentStart);
  }

  /** Text between the tags as it reads. */
  text({ contentStart, contentEnd }: XmlNode): string {
    return decodeText(this.xml.slice(contentStart, contentEnd));
  }

  attributes(node: XmlNode): Map<string, string> {
    return attributesOf(this.startTag(node));
  }

  /** Replaces a part of the source, unless it stays the same. */
  replace(start: number, end: number, text: string): void {
    if (this.xml.slice(start, end) !== text || start === end) {
      this.#edits.push({ start, end, text, order: this.#edits.length });
    }
  }

  remove({ start, end }: XmlNode): void {
    this.replace(start, end, "");
  }

  setAttributes(node: XmlNode, changes: Readonly<Record<string, string | undefined>>): void {
    this.replace(node.start, node.contentStart, withAttributes(this.startTag(node), changes));
  }

  /** Sets the text of an element without children. */
  setText(node: XmlNode, text: string): void {
    if (node.contentStart !== node.end) this.replace(node.contentStart, node.contentEnd, encodeText(text));
  }

  /** Adds to the end of an element's content. */
  append(node: XmlNode, xml: string): void {
    if (node.contentStart === node.end) {
      const tag = this.startTag(node).replace(/\s*\/>$/, ">");
      this.replace(node.start, node.end, `${tag}${xml}</${node.tag}>`);
    } else this.replace(node.contentEnd, node.contentEnd, xml);
  }

  /** The changed source; an edit inside another one is part of that. */
  apply(): string {
    const edits = this.#edits.toSorted((a, b) => a.start - b.start || b.end - a.end || a.order - b.order);
    const pieces: string[] = [];
    let at = 0;
    for (const { start, end, text } of edits) {
      if (start < at) continue;
      pieces.push(this.xml.slice(at, start), text);
      at = end;
    }
    pieces.push(this.xml.slice(at));
    return pieces.join("");
  }
}
