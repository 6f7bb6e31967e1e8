/** Copies a slide with all that is its own: notes, charts and their workbooks; pictures and layouts are shared. */
import {
  relationshipsOf,
  relationshipsPart,
  relativeTarget,
  writeRelationships,
} from "../office/part-relationships.ts";
import type { TemplatePackage } from "../office/template-package.ts";
import { childNodes, localName, parseTree, type XmlNode } from "../office/xml-tree.ts";

/** Parts that belong to one slide, by the last word of their relationship's type. */
const OWN_PARTS = new Set([
  "notesSlide",
  "chart",
  "chartEx",
  "chartStyle",
  "chartColorStyle",
  "chartUserShapes",
  "package",
  "oleObject",
  "diagramData",
  "diagramLayout",
  "diagramQuickStyle",
  "diagramColors",
  "diagramDrawing",
  "vmlDrawing",
  "control",
  "activeXControlBinary",
  "themeOverride",
  "customXml",
]);
/** Parts that a copy has no use for: comments on the template, and the links of tools. */
const LEFT_OUT = new Set(["comments", "commentAuthors", "tags"]);

const lastWord = (type: string): string => type.slice(type.lastIndexOf("/") + 1);

/** A free name beside a part's: `ppt/slides/slide7.xml`. */
function nameBeside(office: TemplatePackage, name: string): string {
  const match = /^(.*?)\d*(\.[^./]+)$/.exec(name);
  return office.freeName(match?.[1] ?? name, match?.[2] ?? "");
}

/** Old and new names of the parts that were copied. */
export type CopiedParts = Map<string, string>;

function copyPart(office: TemplatePackage, name: string, copied: CopiedParts): string {
  const known = copied.get(name);
  if (known !== undefined) return known;
  const content = office.read(name);
  if (content === undefined) return name;
  const copy = nameBeside(office, name);
  copied.set(name, copy);
  office.add(copy, content, office.contentType(name) ?? "application/xml");
  copyRelationships(office, name, copy, copied);
  return copy;
}

function copyRelationships(office: TemplatePackage, from: string, to: string, copied: CopiedParts): void {
  const bytes = office.read(relationshipsPart(from));
  if (bytes === undefined) return;
  const root = parseTree(bytes);
  const stated = relationshipsOf(office, from);
  root.children = childNodes(root).flatMap((node, index): XmlNode[] => {
    const one = stated[index];
    if (one === undefined || one.external || localName(node) !== "Relationship") return [node];
    const word = lastWord(one.type);
    if (LEFT_OUT.has(word)) return [];
    const target = OWN_PARTS.has(word) ? copyPart(office, one.target, copied) : (copied.get(one.target) ?? one.target);
    return [{ ...node, attributes: { ...node.attributes, Target: relativeTarget(to, target) } }];
  });
  writeRelationships(office, to, root);
}

/** Copies a slide's part. @returns the new name of each part that was copied, by its old name */
export function copySlide(office: TemplatePackage, slide: string): CopiedParts {
  const copied: CopiedParts = new Map();
  copyPart(office, slide, copied);
  return copied;
}

/** Takes a slide out with its notes, charts and their workbooks. */
export function removeSlide(office: TemplatePackage, slide: string, removed = new Set<string>()): void {
  if (removed.has(slide)) return;
  removed.add(slide);
  for (const { type, target, external } of relationshipsOf(office, slide)) {
    if (!external && OWN_PARTS.has(lastWord(type))) removeSlide(office, target, removed);
  }
  const rels = relationshipsPart(slide);
  if (office.has(rels)) office.remove(rels);
  office.remove(slide);
}
