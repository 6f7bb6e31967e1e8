/** What a part refers to (ECMA-376 part 2, 9.3): other parts, and addresses outside, which are kept as text alone. */
import { corrupted, type OfficePackage } from "./office-package.ts";
import { elementsOf, parseXml, type XmlBudget } from "./xml-parts.ts";

export interface Relationship {
  /** The last step of its type: `styles`, `image`, `hyperlink` … */
  type: string;
  /** Name of a part in the package; of an external one the address as it stands. */
  target: string;
  external: boolean;
}

export type Relationships = ReadonlyMap<string, Relationship>;

/** A target as the name of a part. */
function resolveTarget(partName: string, target: string): string {
  const base = target.startsWith("/") ? [] : partName.split("/").slice(0, -1);
  for (const segment of target.split("/")) {
    if (segment === "..") base.pop();
    else if (segment !== "" && segment !== ".") base.push(segment);
  }
  return base.join("/");
}

const relationshipsPart = (partName: string): string => partName.replace(/([^/]*)$/, "_rels/$1.rels");

/** By their ids; empty for a part that refers to nothing. @param partName empty for the package itself */
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

/** The part inside the package that a relationship of this type leads to, if there is one. */
export const relatedPart = (relationships: Relationships, type: string): string | undefined =>
  [...relationships.values()].find((one) => one.type === type && !one.external)?.target;

/**
 * The name of the main part: what the package says it is, else where it usually is.
 * @throws JobFailure (corrupted) when it is not there
 */
export function findMainPart(office: OfficePackage, usual: string, budget: XmlBudget): string {
  const named = relatedPart(readRelationships(office, "", budget), "officeDocument");
  const found = [named, usual].find((name) => name !== undefined && office.has(name));
  if (found === undefined) throw corrupted();
  return found;
}

const LINK = /^(?:https?:\/\/|mailto:|tel:)[^\s]+$/i;
/** Longer addresses carry data rather than lead anywhere. */
const LONGEST_LINK = 2_048;

/** An address that a word may carry: the web, mail, telephone; undefined for any other. */
export const linkOf = (address: string | undefined): string | undefined =>
  address !== undefined && address.length <= LONGEST_LINK && LINK.test(address) ? address : undefined;
