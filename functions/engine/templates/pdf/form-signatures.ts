/** What signatures permit (PDF 32000-1, 12.8). */
import { PDFDict, PDFName } from "@cantoo/pdf-lib";
import { UnprocessableEntity } from "../../../ports/errors.ts";
import type { TreeField } from "../../forms/acroform/field-tree.ts";
import { dictOf, entry, listOf, numberOf } from "../../forms/acroform/pdf-values.ts";

/** /P of a certification (table 254): no change at all. */
const CERTIFIED_AGAINST_CHANGES = 1;
/** Signatures of a file that are looked through; real files have a few. */
const MAX_REFERENCES = 100;

/** A signature field with a signature, whose bytes are the file's. */
const isSigned = ({ attributes: { FT, V } }: TreeField): boolean =>
  FT === PDFName.of("Sig") && V instanceof PDFDict && listOf(V, "ByteRange", 4).length === 4;

function forbidsChanges(certification: PDFDict): boolean {
  return listOf(certification, "Reference", MAX_REFERENCES).some((reference) => {
    if (!(reference instanceof PDFDict) || entry(reference, "TransformMethod") !== PDFName.of("DocMDP")) return false;
    const parameters = dictOf(reference, "TransformParams");
    return parameters !== undefined && numberOf(entry(parameters, "P")) === CERTIFIED_AGAINST_CHANGES;
  });
}

/**
 * True for a file with a signature, whose bytes must stay. Usage rights sign no content, and signature fields without a
 * signature none either.
 * @throws UnprocessableEntity for a file that is certified against every change
 */
export function hasSignatures(catalog: PDFDict, fields: readonly TreeField[]): boolean {
  const certification = dictOf(dictOf(catalog, "Perms"), "DocMDP");
  if (certification !== undefined && forbidsChanges(certification)) {
    throw new UnprocessableEntity(
      "The PDF is certified against every change; upload the form without its certification",
    );
  }
  return certification !== undefined || fields.some(isSigned);
}

/** Removes rights that only the unchanged file has; without them readers treat it as any other form. */
export function dropUsageRights(catalog: PDFDict): void {
  const permissions = dictOf(catalog, "Perms");
  if (permissions === undefined) return;
  for (const key of ["UR", "UR3"]) permissions.delete(PDFName.of(key));
  if (permissions.keys().length === 0) catalog.delete(PDFName.of("Perms"));
}
