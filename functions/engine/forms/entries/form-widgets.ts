/** The widgets of a PDF's form by page, as entries name them. */
import { AppError } from "../../../ports/errors.ts";
import type { Box, EntryField } from "../../../ports/layout.ts";
import type { AcroFormField, AcroFormType } from "../acroform/acroform.ts";
import { acroFormMetadata } from "../acroform/acroform-metadata.ts";

/** A widget that a person fills. */
export interface EntryWidget {
  /** Points, as shown. */
  box: Box;
  field: EntryField;
}

const TYPES = new Set<AcroFormType>(["text", "multiline", "checkbox", "radio", "dropdown", "listbox", "signature"]);
const isEntryType = (type: AcroFormType): type is EntryField["type"] => TYPES.has(type);

/** Smallest side of a widget that a person can see, in points. */
const MIN_SIDE_POINTS = 1;
/** Options of a list that entries carry; longer lists are catalogues, whose chosen values are known anyway. */
const MAX_OPTIONS = 300;

/** Choices of a field: all of a list, the labels of a button's states. */
function optionsOf({ options }: AcroFormField): Pick<EntryField, "options"> {
  return options.length === 0 || options.length > MAX_OPTIONS ? {} : { options };
}

/** Texts of fields that nobody can write in on a blank form: a sum of nothing, or print that names another place. */
const UNWRITTEN = /^[^\p{L}\d]*0+(?:[.,]0+)?[^\p{L}\d]*$|[:：]\s*$/u;

/** The value of a field, without what a blank form shows in fields that are only read. */
const writtenValue = ({ value, flags }: AcroFormField): AcroFormField["value"] =>
  flags.includes("readOnly") && typeof value === "string" && UNWRITTEN.test(value) ? null : value;

function widgetsOf(field: AcroFormField): [page: number, EntryWidget][] {
  const { id, name, type, tooltip, flags, maxLength } = field;
  if (!isEntryType(type) || flags.includes("hidden") || flags.includes("password")) return [];
  const own: EntryField = {
    id,
    name,
    type,
    value: writtenValue(field),
    ...(tooltip === null ? {} : { tooltip }),
    ...optionsOf(field),
    ...(maxLength === null ? {} : { maxLength }),
  };
  return field.widgets.flatMap(({ pageAnchors, state }) =>
    pageAnchors.flatMap(({ pageNumber, bbox: box }): [number, EntryWidget][] =>
      Math.min(box.right - box.left, box.bottom - box.top) < MIN_SIDE_POINTS
        ? []
        : [[pageNumber, { box, field: state === undefined ? own : { ...own, state } }]],
    ),
  );
}

/**
 * Reads the widgets that a person fills, by page from 1, in the order of the form. A form that cannot be read has none:
 * the words of its pages are read all the same.
 */
export async function formWidgets(bytes: Uint8Array): Promise<Map<number, EntryWidget[]>> {
  try {
    const { fields } = await acroFormMetadata(bytes);
    const placed = Map.groupBy(fields.flatMap(widgetsOf), ([page]) => page);
    return new Map([...placed].map(([page, own]) => [page, own.map(([, widget]) => widget)]));
  } catch (error) {
    if (error instanceof AppError) return new Map();
    throw error;
  }
}
