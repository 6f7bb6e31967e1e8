/** Relationships to addresses outside the document. */
import { safeLink } from "../../readers/office/relationships.ts";
import { OFFICE_RELATIONSHIPS, relationshipsTree, writeRelationships } from "../office/part-relationships.ts";
import type { TemplatePackage } from "../office/template-package.ts";
import { childNodes, sameNamespace } from "../office/xml-tree.ts";

/** Adds a link to a part. @returns its id; undefined for an address that no link may have */
export function linkRelationship(office: TemplatePackage, partName: string, address: string): string | undefined {
  const target = safeLink(address);
  if (target === undefined) return undefined;
  const root = relationshipsTree(office, partName);
  const ids = new Set(childNodes(root).map(({ attributes }) => attributes.Id));
  let number = ids.size + 1;
  while (ids.has(`rId${number}`)) number += 1;
  const attributes = {
    Id: `rId${number}`,
    Type: `${OFFICE_RELATIONSHIPS}/hyperlink`,
    Target: target,
    TargetMode: "External",
  };
  root.children.push({ name: sameNamespace(root, "Relationship"), attributes, children: [] });
  writeRelationships(office, partName, root);
  return attributes.Id;
}
