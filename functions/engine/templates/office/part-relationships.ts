/** Reads and adds relationships of a template's parts. */
import type { TemplatePackage } from "./template-package.ts";
import { childNodes, parseTree, sameNamespace, writeTree, type XmlNode } from "./xml-tree.ts";

const RELATIONSHIPS_NAMESPACE = "http://schemas.openxmlformats.org/package/2006/relationships";
const RELATIONSHIPS_TYPE = "application/vnd.openxmlformats-package.relationships+xml";
export const OFFICE_RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

export interface PartRelationship {
  id: string;
  /** Whole type, an address. */
  type: string;
  /** Name of a part; for an external target the unchanged address. */
  target: string;
  external: boolean;
}

/** The part that states a part's relationships. @param name empty for the package itself */
export const relationshipsPart = (name: string): string => name.replace(/([^/]*)$/, "_rels/$1.rels");

/** Resolves a target to the name of a part. */
export function resolveTarget(partName: string, target: string): string {
  const base = target.startsWith("/") ? [] : partName.split("/").slice(0, -1);
  for (const segment of target.split("/")) {
    if (segment === "..") base.pop();
    else if (segment !== "" && segment !== ".") base.push(segment);
  }
  return base.join("/");
}

/** The way from one part to another, as Office writes it: `../media/image1.png`. */
export function relativeTarget(from: string, to: string): string {
  const [source, target] = [from.split("/").slice(0, -1), to.split("/")];
  let shared = 0;
  while (shared < source.length && source[shared] === target[shared]) shared += 1;
  return [...source.slice(shared).map(() => ".."), ...target.slice(shared)].join("/");
}

const emptyRoot = (): XmlNode => ({
  name: "Relationships",
  attributes: { xmlns: RELATIONSHIPS_NAMESPACE },
  children: [],
});

const rootOf = (office: TemplatePackage, name: string): XmlNode => {
  const part = office.read(relationshipsPart(name));
  return part === undefined ? emptyRoot() : parseTree(part);
};

function toRelationship(partName: string, { attributes }: XmlNode): PartRelationship {
  const { Id: id = "", Type: type = "", Target: target = "" } = attributes;
  const external = attributes.TargetMode?.toLowerCase() === "external";
  return { id, type, target: external ? target : resolveTarget(partName, target), external };
}

/** The relationships of a part, in order. @throws JobFailure (corrupted) */
export const relationshipsOf = (office: TemplatePackage, partName: string): PartRelationship[] =>
  childNodes(rootOf(office, partName)).map((node) => toRelationship(partName, node));

/** Writes a part's relationships part, which may be new. */
export function writeRelationships(office: TemplatePackage, partName: string, root: XmlNode): void {
  const name = relationshipsPart(partName);
  if (office.has(name)) office.write(name, writeTree(root));
  else office.add(name, writeTree(root), RELATIONSHIPS_TYPE);
}

/** The tree of a part's relationships; one without any where the part has none. @throws JobFailure (corrupted) */
export const relationshipsTree = rootOf;

/** Adds a relationship to a part. @returns its id: that of an equal one, where there is one */
export function addRelationship(office: TemplatePackage, partName: string, type: string, target: string): string {
  const root = rootOf(office, partName);
  const stated = childNodes(root).map((node) => toRelationship(partName, node));
  const same = stated.find((one) => one.type === type && one.target === target && !one.external);
  if (same !== undefined) return same.id;
  const ids = new Set(stated.map(({ id }) => id));
  let number = stated.length + 1;
  while (ids.has(`rId${number}`)) number += 1;
  const id = `rId${number}`;
  root.children.push({
    name: sameNamespace(root, "Relationship"),
    attributes: { Id: id, Type: type, Target: relativeTarget(partName, target) },
    children: [],
  });
  writeRelationships(office, partName, root);
  return id;
}

/** Takes the parts out that a part's relationships of this type lead to. @param type its last segment */
export function dropRelated(office: TemplatePackage, partName: string, type: string): void {
  const root = rootOf(office, partName);
  const isDropped = ({ attributes }: XmlNode): boolean => (attributes.Type ?? "").endsWith(`/${type}`);
  const dropped = childNodes(root).filter(isDropped);
  if (dropped.length === 0) return;
  const rest = childNodes(root).filter((node) => !isDropped(node));
  if (rest.length === 0) office.remove(relationshipsPart(partName));
  else writeRelationships(office, partName, { ...root, children: rest });
  for (const node of dropped) {
    const { target, external } = toRelationship(partName, node);
    if (!external && office.has(target)) office.remove(target);
  }
}

/** The part that the package's main relationship leads to. */
export const mainPartOf = (office: TemplatePackage, usual: string): string => {
  const main = relationshipsOf(office, "").find(({ type, external }) => type.endsWith("/officeDocument") && !external);
  return main !== undefined && office.has(main.target) ? main.target : usual;
};
