/**
 * The XML parts of office documents, read as a stream: a part is never held as one tree, and entities are never
 * expanded. Names lose their prefixes, which writers choose freely. Attributes of the relationships' namespace, such as
 * `r:id`, get the prefix `r:`.
 */
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { JobFailure } from "../../../ports/errors.ts";
import { limitFailure } from "../../layout/logical/layout-limits.ts";
import { corrupted } from "./office-package.ts";
import { xmlDecoder } from "./xml-encoding.ts";

export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** Without white space between elements. */
  children: (XmlElement | string)[];
}

/** Limit for nested elements; a table in a table takes three levels. */
const MAX_DEPTH = 256;
/** Limit of one document: a sheet of a million cells has half of it. */
const MAX_ELEMENTS = 4_000_000;
/** Limit of elements held at once. */
const MAX_HELD_ELEMENTS = 1_000_000;
/** Limit of one text between two tags. */
export const MAX_TEXT_CHARACTERS = 16_000_000;
const CHUNK_BYTES = 65_536;

/** Remaining elements of one document, over all its parts. */
export interface XmlBudget {
  elements: number;
}

export const newBudget = (): XmlBudget => ({ elements: MAX_ELEMENTS });

const localNames = new Map<string, string>();
/** Limit of cached names; a hostile file may have many. */
const MAX_CACHED_NAMES = 5_000;

function localName(name: string): string {
  const known = localNames.get(name);
  if (known !== undefined) return known;
  const local = name.slice(name.indexOf(":") + 1);
  if (localNames.size < MAX_CACHED_NAMES) localNames.set(name, local);
  return local;
}

const RELATIONSHIPS_NAMESPACE = /\/officeDocument\/(?:2006\/)?relationships$/;

/** Attributes by local name. Prefixes of the relationships' namespace are collected from their declarations. */
function readAttributes(tag: SaxesTagPlain, relationshipPrefixes: Set<string>): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const name in tag.attributes) {
    const value = tag.attributes[name] ?? "";
    const colon = name.indexOf(":");
    if (name.startsWith("xmlns:") && RELATIONSHIPS_NAMESPACE.test(value)) relationshipPrefixes.add(name.slice(6));
    if (colon === -1) attributes[name] = value;
    else if (relationshipPrefixes.has(name.slice(0, colon))) attributes[`r:${name.slice(colon + 1)}`] = value;
    else attributes[localName(name)] ??= value;
  }
  return attributes;
}

export interface XmlVisitor {
  /** Tells whether to collect an element with its whole content and pass it to `take`. */
  whole(name: string, path: readonly string[]): boolean;
  /** @param path names of the elements around it, the root first */
  take(element: XmlElement, path: readonly string[]): void;
  /** Called for the start of an element that is not collected. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  /** Called for its end. */
  close?(name: string): void;
}

/** Builds collected elements from the parser's events and passes them on. */
function connectVisitor(parser: SaxesParser<{ position: false }>, visitor: XmlVisitor, budget: XmlBudget): void {
  const path: string[] = [];
  const open: XmlElement[] = [];
  const prefixes = new Set(["r"]);
  let held = 0;
  parser.on("doctype", () => {
    throw new RangeError("The part has a document type declaration");
  });
  parser.on("opentag", (tag) => {
    budget.elements -= 1;
    if (budget.elements < 0) throw limitFailure("elements");
    if (path.length + open.length >= MAX_DEPTH) throw new RangeError("Elements are too deep in each other");
    const name = localName(tag.name);
    const attributes = readAttributes(tag as SaxesTagPlain, prefixes);
    const parent = open.at(-1);
    if (parent !== undefined || visitor.whole(name, path)) {
      held = parent === undefined ? 1 : held + 1;
      if (held > MAX_HELD_ELEMENTS) throw limitFailure("elements");
      const element: XmlElement = { name, attributes, children: [] };
      parent?.children.push(element);
      open.push(element);
    } else {
      visitor.open?.(name, attributes);
      path.push(name);
    }
  });
  const addText = (text: string): void => {
    checkText(text);
    const element = open.at(-1);
    if (element !== undefined && (element.name === "t" || /\S/.test(text))) element.children.push(text);
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const element = open.pop();
    if (element === undefined) {
      const name = path.pop() ?? "";
      visitor.close?.(name);
    } else if (open.length === 0) visitor.take(element, path);
  });
}

/** @throws JobFailure for a text between two tags that is longer than can be processed */
export function checkText(text: string): void {
  if (text.length > MAX_TEXT_CHARACTERS) throw limitFailure("text");
}

/** A part's text in chunks, so that it is never held as a whole beside its bytes. @throws TypeError, RangeError for wrong bytes */
export function* decodedChunks(part: Uint8Array): Generator<string> {
  const decoder = xmlDecoder(part);
  for (let at = 0; at < part.length; at += CHUNK_BYTES) {
    yield decoder.decode(part.subarray(at, at + CHUNK_BYTES), { stream: true });
  }
  yield decoder.decode();
}

/**
 * Reads a part from start to end.
 * @throws JobFailure: corrupted for malformed XML, too deep nesting or a document type; more elements than can be
 * processed; errors of the visitor
 */
export function readXml(part: Uint8Array, visitor: XmlVisitor, budget: XmlBudget): void {
  const parser = new SaxesParser({ position: false });
  connectVisitor(parser, visitor, budget);
  try {
    for (const text of decodedChunks(part)) parser.write(text);
    parser.close();
  } catch (error) {
    throw error instanceof JobFailure ? error : corrupted(error);
  }
}

/** Parses a small part as one tree. @throws JobFailure as readXml does */
export function parseXml(part: Uint8Array, budget: XmlBudget): XmlElement {
  let root: XmlElement | undefined;
  const take = (element: XmlElement): void => {
    root = element;
  };
  readXml(part, { whole: () => true, take }, budget);
  if (root === undefined) throw corrupted();
  return root;
}

/** The child elements, in order. */
export function* elementsOf(element: XmlElement): Generator<XmlElement> {
  for (const child of element.children) if (typeof child !== "string") yield child;
}

/** The first child element of this name; undefined for none, or without a parent. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const child of element?.children ?? []) if (typeof child !== "string" && child.name === name) return child;
  return undefined;
}

/** Follows child names down. */
export const descendantOf = (element: XmlElement | undefined, ...names: string[]): XmlElement | undefined =>
  names.reduce<XmlElement | undefined>((at, name) => childOf(at, name), element);

/** All descendants of these names in order, without those inside another match. */
export function* findAll(element: XmlElement, names: ReadonlySet<string>): Generator<XmlElement> {
  for (const child of elementsOf(element)) {
    if (names.has(child.name)) yield child;
    else yield* findAll(child, names);
  }
}

/** The element's own text, without that of its children. */
export const textOf = (element: XmlElement | undefined): string =>
  element?.children.filter((child) => typeof child === "string").join("") ?? "";

/** An on/off property (`ST_OnOff`): on when present and not stated otherwise; undefined when absent. */
export function flagOf(element: XmlElement | undefined, attribute = "val"): boolean | undefined {
  if (element === undefined) return undefined;
  return isOn(element.attributes[attribute] ?? "true");
}

export const isOn = (value: string | undefined): boolean => value === "1" || value === "true" || value === "on";

/** An integer within bounds; undefined for other values. */
export function integerOf(value: string | undefined, least = 0, most = Number.MAX_SAFE_INTEGER): number | undefined {
  if (value === undefined || !/^-?\d{1,15}$/.test(value.trim())) return undefined;
  const number = Number(value);
  return number >= least && number <= most ? number : undefined;
}

/**
 * The branch of an `mc:AlternateContent` to read: never both, because they repeat each other in newer and older markup.
 * The first choice is the one that current applications show; the fallback is used without a choice.
 */
export function chosenBranch(element: XmlElement): XmlElement | undefined {
  const choice = childOf(element, "Choice");
  return choice !== undefined && choice.children.length > 0 ? choice : (childOf(element, "Fallback") ?? choice);
}

/** Text with spaces for its breaks and tabs: only elements stand for them. */
export const withoutBreaks = (text: string): string => text.replace(/[\t\n\r\f\v]/g, " ");
