/** Writes definitions of fields into a PDF as a form that people can fill. */
import { PDFArray, type PDFDict, PDFName, type PDFRef } from "@cantoo/pdf-lib";
import { pdfText } from "../../templates/pdf/fill-text.ts";
import { dropUsageRights } from "../../templates/pdf/form-signatures.ts";
import { type OpenForm, withForm } from "../../templates/pdf/open-form.ts";
import { canAppendTo, OriginalObjects, rewrite } from "../../templates/pdf/save-form.ts";
import { dictOf, entry } from "../acroform/pdf-values.ts";
import type { FieldDefinition } from "../field-definition.ts";
import {
  type ChosenDefinition,
  chooseDefinitions,
  type SkippedField,
  type WritingLimits,
} from "./choose-definitions.ts";
import { nameFields } from "./field-naming.ts";
import { FieldObjects, type NewField, type PlacedWidget } from "./field-objects.ts";
import { placeWidgets } from "./tab-order.ts";

/** A field as written. */
export interface WrittenField {
  definition: FieldDefinition;
  /** Radio buttons: the state that chooses this one. */
  state?: string;
}

export interface WrittenForm {
  bytes: Uint8Array;
  /** Definitions that are fields now. */
  written: WrittenField[];
  skippedFields: SkippedField[];
  /** The definitions with the names of their fields. */
  definitions: FieldDefinition[];
  pages: { pageNumber: number; fieldCount: number }[];
  /** Sentences. */
  warnings: string[];
}

/** Fonts that appearances name. */
const FORM_FONTS: Readonly<Record<string, Record<string, string>>> = {
  Helv: { Type: "Font", Subtype: "Type1", BaseFont: "Helvetica", Encoding: "WinAnsiEncoding" },
  ZaDb: { Type: "Font", Subtype: "Type1", BaseFont: "ZapfDingbats" },
};

/** An entry that is a dictionary; a new one where there is none. */
function ownDict(holder: PDFDict, key: string): PDFDict {
  const known = dictOf(holder, key);
  if (known !== undefined) return known;
  const made = holder.context.obj({}) as PDFDict;
  holder.set(PDFName.of(key), made);
  return made;
}

/** The catalog's form with the fonts of new fields; a new one where the file has none. */
function formOf({ catalog, form }: OpenForm): PDFDict {
  const { context } = catalog;
  const own = form ?? (context.obj({}) as PDFDict);
  if (form === undefined) catalog.set(PDFName.of("AcroForm"), context.register(own));
  const fonts = ownDict(ownDict(own, "DR"), "Font");
  for (const [name, font] of Object.entries(FORM_FONTS)) {
    if (dictOf(fonts, name) === undefined) fonts.set(PDFName.of(name), context.register(context.obj(font)));
  }
  if (entry(own, "DA") === undefined) own.set(PDFName.of("DA"), pdfText("/Helv 0 Tf 0 g"));
  return own;
}

function addRoots(form: PDFDict, roots: readonly PDFRef[]): void {
  const listed = entry(form, "Fields");
  const known = listed instanceof PDFArray ? listed.asArray() : [];
  form.set(PDFName.of("Fields"), form.context.obj([...known, ...roots]));
}

/** One new field for each definition, and one for all radio buttons of a name. */
function makeFields(objects: FieldObjects, chosen: readonly ChosenDefinition[]): NewField[] {
  const groups = new Map<string, ChosenDefinition[]>();
  const order: (ChosenDefinition | ChosenDefinition[])[] = [];
  for (const one of chosen) {
    const { fieldType, fieldName } = one.definition;
    if (fieldType !== "radio") {
      order.push(one);
      continue;
    }
    const known = groups.get(fieldName);
    if (known !== undefined) known.push(one);
    else {
      const group = [one];
      groups.set(fieldName, group);
      order.push(group);
    }
  }
  return order.map((one) => (Array.isArray(one) ? objects.radioGroup(one) : objects.single(one)));
}

/** Removes what would keep the new fields out of sight. @returns sentences about it */
function settle({ catalog, signed }: OpenForm, form: PDFDict): string[] {
  const warnings: string[] = [];
  if (entry(form, "XFA") !== undefined) {
    form.delete(PDFName.of("XFA"));
    catalog.delete(PDFName.of("NeedsRendering"));
    warnings.push("The XFA form of the document is removed: readers that know it would not show the new fields");
  }
  if (signed) warnings.push("The document is signed; readers report that fields were added after the signature");
  else dropUsageRights(catalog);
  return warnings;
}

function countByPage(chosen: readonly ChosenDefinition[]): WrittenForm["pages"] {
  const counts = new Map<number, number>();
  for (const { page } of chosen) counts.set(page.pageNumber, (counts.get(page.pageNumber) ?? 0) + 1);
  return [...counts]
    .sort(([one], [other]) => one - other)
    .map(([pageNumber, fieldCount]) => ({ pageNumber, fieldCount }));
}

const withStates = ({ widgets, states }: NewField): WrittenField[] =>
  widgets.map(({ definition }, index) => {
    const state = states?.[index];
    return { definition, ...(state === undefined ? {} : { state }) };
  });

/** Adds the chosen definitions to an open file. */
async function save(open: OpenForm, bytes: Uint8Array, chosen: readonly ChosenDefinition[]) {
  const { document, decrypted } = open;
  // Appending leaves every page, picture and font of the file as it is, byte for byte.
  const original = !decrypted && canAppendTo(document, bytes) ? new OriginalObjects(document) : undefined;
  const fields = makeFields(new FieldObjects(document), chosen);
  const form = formOf(open);
  addRoots(
    form,
    fields.map(({ root }) => root),
  );
  const order = new Map(chosen.map(({ definition }, index) => [definition, index]));
  const placeOf = ({ definition }: PlacedWidget): number => order.get(definition) ?? 0;
  placeWidgets(fields.flatMap(({ widgets }) => widgets).sort((one, other) => placeOf(one) - placeOf(other)));
  const warnings = settle(open, form);
  const saved = original === undefined ? await rewrite(document) : await original.append(document, bytes);
  return { bytes: saved, written: fields.flatMap(withStates), warnings };
}

async function writeOpen(
  open: OpenForm,
  bytes: Uint8Array,
  definitions: readonly FieldDefinition[],
  limits: WritingLimits,
): Promise<WrittenForm> {
  const { chosen: wanted, skipped } = chooseDefinitions(definitions, open.pages, limits);
  const wantedDefinitions = wanted.map(({ definition }) => definition);
  const { named, notes } = nameFields(
    wantedDefinitions,
    open.fields.map(({ name }) => name),
  );
  const namesakes = new Map(wantedDefinitions.map((definition, index) => [definition, named[index] ?? definition]));
  const chosen = wanted.map(({ page, definition }) => ({ page, definition: namesakes.get(definition) ?? definition }));
  const saved = chosen.length === 0 ? { bytes, written: [], warnings: [] } : await save(open, bytes, chosen);
  const restrictions = open.decrypted
    ? ["The form has no encryption any more, and none of the owner's restrictions"]
    : [];
  return {
    bytes: saved.bytes,
    written: saved.written,
    skippedFields: skipped,
    definitions: definitions.map((definition) => namesakes.get(definition) ?? definition),
    pages: countByPage(chosen),
    warnings: [...notes, ...saved.warnings, ...(chosen.length === 0 ? [] : restrictions)],
  };
}

/**
 * Writes definitions into a PDF as form fields. Existing fields, pages and their content stay as they are.
 * @throws UnprocessableEntity for a file that is damaged, needs a password or forbids forms
 */
export function writeForm(
  bytes: Uint8Array,
  definitions: readonly FieldDefinition[],
  limits: WritingLimits,
): Promise<WrittenForm> {
  return withForm(bytes, (open) => writeOpen(open, bytes, definitions, limits));
}
