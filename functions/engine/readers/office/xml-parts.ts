/**
 * The XML parts of office documents, read piece by piece: a part is never one tree, and no entity is ever expanded.
 * Names go without their prefixes, which writers choose as they like; attributes of the relationships' namespace, such
 * as `r:id`, keep an `r:` whatever their prefix was.
 */
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { JobFailure } from "../../../ports/errors.ts";
import { tooMuch } from "../../layout/logical/layout-limits.ts";
import { corrupted } from "./office-package.ts";
import { xmlDecoder } from "./xml-encoding.ts";

export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** White space between elements is left out. */
  children: (XmlElement | string)[];
}

/** Elements within each other; a table in a table takes three. */
const DEEPEST = 256;
/** Of one document: a sheet of a million cells has half of it. */
const MOST_ELEMENTS = 4_000_000;
/** Held at once. */
const MOST_ELEMENTS_HELD = 1_000_000;
/** Of one text between two tags. */
const MOST_CHARACTERS = 16_000_000;
const CHUNK_BYTES = 65_536;

/** Counts what was read of one document, over all its parts. */
export interface XmlBudget {
  elements: number;
}

export const newBudget = (): XmlBudget => ({ elements: MOST_ELEMENTS });

const locals = new Map<string, string>();
/** Names are few; those of a hostile file need not be remembered. */
const MOST_NAMES = 5_000;

function localName(name: string): string {
  const known = locals.get(name);
  if (known !== undefined) return known;
  const local = name.slice(name.indexOf(":") + 1);
  if (locals.size < MOST_NAMES) locals.set(name, local);
  return local;
}

const RELATIONSHIPS = /\/officeDocument\/(?:2006\/)?relationships$/;

/** Attributes by local name; prefixes of the relationships' namespace are learnt as they are declared. */
function readAttributes(tag: SaxesTagPlain, relationshipPrefixes: Set<string>): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const name in tag.attributes) {
    const value = tag.attributes[name] ?? "";
    const colon = name.indexOf(":");
    if (name.startsWith("xmlns:") && RELATIONSHIPS.test(value)) relationshipPrefixes.add(name.slice(6));
    if (colon === -1) attributes[name] = value;
    else if (relationshipPrefixes.has(name.slice(0, colon))) attributes[`r:${name.slice(colon + 1)}`] = value;
    else attributes[localName(name)] ??= value;
  }
  return attributes;
}

export interface XmlVisitor {
  /** Whether the element that begins is handed over whole, with all that it holds. */
  whole(name: string, path: readonly string[]): boolean;
  /** @param path names of the elements around it, the root first */
  take(element: XmlElement, path: readonly string[]): void;
  /** An element begins that is not handed over whole. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  /** It ends. */
  close?(name: string): void;
}

/** Builds whole elements out of the parser's events and hands them over. */
function connect(parser: SaxesParser<{ position: false }>, visitor: XmlVisitor, budget: XmlBudget): void {
  const path: string[] = [];
  const open: XmlElement[] = [];
  const prefixes = new Set(["r"]);
  let held = 0;
  parser.on("doctype", () => {
    throw new RangeError("The part has a document type declaration");
  });
  parser.on("opentag", (tag) => {
    budget.elements -= 1;
    if (budget.elements < 0) throw tooMuch("elements");
    if (path.length + open.length >= DEEPEST) throw new RangeError("Elements are too deep in each other");
    const name = localName(tag.name);
    const attributes = readAttributes(tag as SaxesTagPlain, prefixes);
    const parent = open.at(-1);
    if (parent !== undefined || visitor.whole(name, path)) {
      held = parent === undefined ? 1 : held + 1;
      if (held > MOST_ELEMENTS_HELD) throw tooMuch("elements");
      const element: XmlElement = { name, attributes, children: [] };
      parent?.children.push(element);
      open.push(element);
    } else {
      visitor.open?.(name, attributes);
      path.push(name);
    }
  });
  const addText = (text: string): void => {
    if (text.length > MOST_CHARACTERS) throw tooMuch("text");
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

/**
 * Reads a part from its beginning to its end.
 * @throws JobFailure: corrupted for what is not well-formed, too deep or has a document type; more elements than can be
 * processed; whatever the visitor throws
 */
export function readXml(part: Uint8Array, visitor: XmlVisitor, budget: XmlBudget): void {
  const decoder = xmlDecoder(part);
  const parser = new SaxesParser({ position: false });
  connect(parser, visitor, budget);
  try {
    for (let at = 0; at < part.length; at += CHUNK_BYTES) {
      parser.write(decoder.decode(part.subarray(at, at + CHUNK_BYTES), { stream: true }));
    }
    parser.write(decoder.decode()).close();
  } catch (error) {
    throw error instanceof JobFailure ? error : corrupted(error);
  }
}

/** A small part as one tree. @throws JobFailure as readXml does */
export function parseXml(part: Uint8Array, budget: XmlBudget): XmlElement {
  let root: XmlElement | undefined;
  const take = (element: XmlElement): void => {
    root = element;
  };
  readXml(part, { whole: () => true, take }, budget);
  if (root === undefined) throw corrupted();
  return root;
}

/** The elements in it, in order. */
export function* elementsOf(element: XmlElement): Generator<XmlElement> {
  for (const child of element.children) if (typeof child !== "string") yield child;
}

/** The first element of this name in it; undefined when there is none, or nothing to look in. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const child of element?.children ?? []) if (typeof child !== "string" && child.name === name) return child;
  return undefined;
}

/** Follows child names down. */
export const pathOf = (element: XmlElement | undefined, ...names: string[]): XmlElement | undefined =>
  names.reduce<XmlElement | undefined>((at, name) => childOf(at, name), element);

/** All elements of these names anywhere in it, in order; not those within another of them. */
export function* findAll(element: XmlElement, names: ReadonlySet<string>): Generator<XmlElement> {
  for (const child of elementsOf(element)) {
    if (names.has(child.name)) yield child;
    else yield* findAll(child, names);
  }
}

/** Its own text, elements in it left out. */
export const textOf = (element: XmlElement | undefined): string =>
  element?.children.filter((child) => typeof child === "string").join("") ?? "";

/** A switch of the format (`ST_OnOff`): on when it is there and does not say otherwise; undefined when it is not there. */
export function flagOf(element: XmlElement | undefined, attribute = "val"): boolean | undefined {
  if (element === undefined) return undefined;
  return isOn(element.attributes[attribute] ?? "true");
}

export const isOn = (value: string | undefined): boolean => value === "1" || value === "true" || value === "on";

/** A whole number within bounds; undefined for anything else. */
export function integerOf(value: string | undefined, least = 0, most = Number.MAX_SAFE_INTEGER): number | undefined {
  if (value === undefined || !/^-?\d{1,15}$/.test(value.trim())) return undefined;
  const number = Number(value);
  return number >= least && number <= most ? number : undefined;
}

/**
 * The branch of an `mc:AlternateContent` that is read: never both, for they say the same in newer and older words. The
 * first choice is what current applications show; the fallback stands where there is none.
 */
export function chosenBranch(element: XmlElement): XmlElement | undefined {
  const choice = childOf(element, "Choice");
  return choice !== undefined && choice.children.length > 0 ? choice : (childOf(element, "Fallback") ?? choice);
}
