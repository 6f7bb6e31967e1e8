/**
 * Data that content controls are bound to (ECMA-376 part 1, 17.5.2.6): Word shows what the XML part says, so a value is
 * written there too.
 */

import { xmlDecoder } from "../../readers/office/xml-encoding.ts";
import { mainPartOf, relationshipsOf } from "../office/part-relationships.ts";
import type { TemplatePackage } from "../office/template-package.ts";
import type { Control } from "./controls.ts";
import {
  attributeOf,
  canonicalName,
  elementsIn,
  escapeXml,
  newElement,
  parseXmlPart,
  unescapeXml,
  withAttribute,
  writePart,
  type XmlElement,
  type XmlPart,
} from "./word-xml.ts";

/** Stores that every document has, by the relationship that leads to them. */
const BUILT_IN: Readonly<Record<string, string>> = {
  "{6C3C8BC8-F283-45AE-878A-BAB7291924A1}": "/core-properties",
  "{6668398D-A668-4E3E-A5EB-62B293D839F1}": "/extended-properties",
};

interface Binding {
  store: string;
  steps: { name: string; local: string; index: number; prefix: string; namespace: string }[];
  attribute: string | undefined;
  /** The same for two controls that show the same value. */
  key: string;
}

const STEP = /\/(?:([\w.-]+):)?([\w.-]+)(?:\[(\d+)\])?/uy;
const ATTRIBUTE = /^\/@([\w.-]+)$/u;

/** Reads a path of children such as `/ns0:order[1]/ns0:buyer[1]`; undefined for any other. */
function readPath(
  path: string,
  namespaces: ReadonlyMap<string, string>,
): Pick<Binding, "steps" | "attribute"> | undefined {
  const steps: Binding["steps"] = [];
  let at = 0;
  for (;;) {
    STEP.lastIndex = at;
    const match = STEP.exec(path);
    if (match === null) break;
    const [whole, prefix = "", local = "", index = "1"] = match;
    const namespace = namespaces.get(prefix) ?? "";
    steps.push({ name: canonicalName(namespace, local), local, index: Number(index), prefix, namespace });
    at += whole.length;
  }
  const rest = path.slice(at);
  const attribute = ATTRIBUTE.exec(rest)?.[1];
  return steps.length > 0 && (rest === "" || attribute !== undefined) ? { steps, attribute } : undefined;
}

export function bindingOf({ properties }: Control): Binding | undefined {
  const element = [...elementsIn(properties)].find(({ name }) => name.endsWith(":dataBinding"));
  const path = attributeOf(element, "w:xpath")?.trim();
  if (element === undefined || path === undefined) return undefined;
  const mappings = attributeOf(element, "w:prefixMappings") ?? "";
  const namespaces = new Map(
    [...mappings.matchAll(/xmlns:([\w.-]+)\s*=\s*(["'])(.*?)\2/gu)].map(([, prefix = "", , address = ""]) => [
      prefix,
      address,
    ]),
  );
  const read = readPath(path, namespaces);
  if (read === undefined) return undefined;
  const store = (attributeOf(element, "w:storeItemID") ?? "").toUpperCase();
  const names = read.steps.map(({ name, index }) => `${name}[${index}]`).join("/");
  return { ...read, store, key: `${store} ${names} ${read.attribute ?? ""}` };
}

export class BoundData {
  private readonly office: TemplatePackage;
  private readonly parts = new Map<string, { name: string; xml: XmlPart; changed: boolean } | undefined>();
  private stores: Map<string, string> | undefined;

  constructor(office: TemplatePackage) {
    this.office = office;
  }

  /** Writes a value to the data that a control shows. @returns false for data that are not there */
  write(binding: Binding, text: string): boolean {
    const part = this.partOf(binding.store);
    const element = part === undefined ? undefined : this.find(part.xml.root, binding);
    if (part === undefined || element === undefined) return false;
    if (binding.attribute === undefined) element.children = [escapeXml(text)];
    else element.open = withAttribute(element, binding.attribute, text);
    part.changed = true;
    return true;
  }

  /** Puts the changed parts into the package. */
  save(): void {
    for (const part of this.parts.values())
      if (part?.changed === true) this.office.write(part.name, writePart(part.xml));
  }

  private find(root: XmlElement, { steps, store }: Binding): XmlElement | undefined {
    let at: XmlElement | undefined = root.name === steps[0]?.name ? root : undefined;
    for (const [depth, { name, local, index, prefix, namespace }] of steps.slice(1).entries()) {
      const parent: XmlElement | undefined = at;
      at = [...elementsIn(parent)].filter((child) => child.name === name)[index - 1];
      // A property of the document that has no value yet has no element either.
      const isProperty = store in BUILT_IN && depth === 0 && steps.length === 2 && index === 1;
      if (at === undefined && parent !== undefined && isProperty) {
        const own = prefix === "" ? local : `${prefix}:${local}`;
        const declaration = prefix === "" ? "" : `:${prefix}`;
        at = newElement(name, `<${own} xmlns${declaration}="${escapeXml(namespace)}"/>`);
        parent.children.push(at);
      }
    }
    return at;
  }

  private partOf(store: string): { name: string; xml: XmlPart; changed: boolean } | undefined {
    if (this.parts.has(store)) return this.parts.get(store);
    const name = this.nameOf(store);
    const bytes = name === undefined ? undefined : this.office.read(name);
    const part =
      name === undefined || bytes === undefined
        ? undefined
        : { name, xml: parseXmlPart(xmlDecoder(bytes).decode(bytes)), changed: false };
    this.parts.set(store, part);
    return part;
  }

  private nameOf(store: string): string | undefined {
    const type = BUILT_IN[store];
    if (type !== undefined) {
      return relationshipsOf(this.office, "").find((one) => one.type.endsWith(type) && !one.external)?.target;
    }
    this.stores ??= this.listStores();
    return this.stores.get(store);
  }

  /** Names of the parts with data of the template's own, by the identifiers that their properties state. */
  private listStores(): Map<string, string> {
    const stores = new Map<string, string>();
    const main = mainPartOf(this.office, "word/document.xml");
    for (const { type, target, external } of relationshipsOf(this.office, main)) {
      if (external || !type.endsWith("/customXml")) continue;
      const own = relationshipsOf(this.office, target).find((one) => one.type.endsWith("/customXmlProps"));
      const bytes = own === undefined ? undefined : this.office.read(own.target);
      if (bytes === undefined) continue;
      const id = /\bitemID\s*=\s*["']([^"']+)["']/u.exec(xmlDecoder(bytes).decode(bytes))?.[1];
      if (id !== undefined) stores.set(unescapeXml(id).toUpperCase(), target);
    }
    return stores;
  }
}
