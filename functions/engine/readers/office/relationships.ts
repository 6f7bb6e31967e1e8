/** References of a part (ECMA-376 part 2, 9.3): other parts, and external addresses, which are kept as text. */
import { corrupted, type OfficePackage } from "./office-package.ts";
import { elementsOf, parseXml, type XmlBudget } from "./xml-parts.ts";

export interface Relationship {
  /** Last segment of its type: `styles`, `image`, `hyperlink` … */
  type: string;
  /** Name of a part in the package; for an external target the unchanged address. */
  target: string;
  external: boolean;
}

export type Relationships = ReadonlyMap<string, Relationship>;

/** Resolves a target to the name of a part. */
function resolveTarget(partName: string, target: string): string {
  const base = target.startsWith("/") ? [] : partName.split("/").slice(0, -1);
  for (const segment of target.split("/")) {
    if (segment === "..") base.pop();
    else if (segment !== "" && segment !== ".") base.push(segment);
  }
  return base.join("/");
}

const relationshipsPart = (partName: string): string => partName.replace(/([^/]*)$/, "_rels/$1.rels");

/** The relationships of a part by id; empty for a part without any. @param partName empty for the package itself */
export function readRelationships(office: OfficePackage, partName: string, budget: XmlBudget): Relationships {
  const part = office.read(relationshipsPart(partName));
  const relationships = new Map<string, Relationship>();
  if (part === undefined) return relationships;
  for (const { name, attributes } of elementsOf(parseXml(part, budget))) {
    const { Id: id, Type: type = "", Target: target } = attributes;
    if (name !== "Relationship" || id === undefined || target === undefined) continue;
    const external = attributes.TargetMode?.toLowerCase() === "external";
    relationships.set(id, {
      type: type.slice(type.lastIndexOf("/") + 1),
      target: external ? target : resolveTarget(partName, target),
      external,
    });
  }
  return relationships;
}

/** The part inside the package that a relationship of this type leads to; undefined for none. */
export const relatedPart = (relationships: Relationships, type: string): string | undefined =>
  [...relationships.values()].find((one) => one.type === type && !one.external)?.target;

/**
 * The name of the main part: the one that the package states, else the usual one.
 * @throws JobFailure (corrupted) when it is missing
 */
export function findMainPart(office: OfficePackage, usual: string, budget: XmlBudget): string {
  const named = relatedPart(readRelationships(office, "", budget), "officeDocument");
  const found = [named, usual].find((name) => name !== undefined && office.has(name));
  if (found === undefined) throw corrupted();
  return found;
}

const LINK_ADDRESS = /^(?:https?:\/\/|mailto:|tel:)[^\s]+$/i;
/** Longer addresses carry data rather than lead anywhere. */
const MAX_LINK_CHARACTERS = 2_048;

/** A link that a word may carry: web, mail or telephone; undefined for any other. */
export const safeLink = (address: string | undefined): string | undefined =>
  address !== undefined && address.length <= MAX_LINK_CHARACTERS && LINK_ADDRESS.test(address) ? address : undefined;
