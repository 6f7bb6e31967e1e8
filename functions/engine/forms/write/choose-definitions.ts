/** Chooses the definitions that become fields, and says why the others do not. */
import type { FormPage } from "../acroform/form-pages.ts";
import type { FieldDefinition } from "../field-definition.ts";
import { boxesOfWidgets, isSamePlace, rectangleOn } from "./entry-place.ts";

export interface SkippedField {
  fieldName: string;
  /** A sentence. */
  reason: string;
}

export interface WritingLimits {
  /** Least confidence of a definition that nobody has reviewed. */
  minConfidence: number;
  /** Most fields of a page. */
  maxFieldsPerPage: number;
  /** Numbers from 1; absent: all pages. */
  pageRange?: readonly number[];
}

/**
 * Most fields of a written form: as many as a template of the service has at most. A form of 50 pages with 200 fields
 * each has as many.
 */
export const MAX_WRITTEN_FIELDS = 10_000;
/** Smallest side of a field, in points: nobody hits a smaller one. */
const MIN_SIDE_POINTS = 2;

export interface ChosenDefinition {
  definition: FieldDefinition;
  page: FormPage;
}

const isReviewed = ({ reviewStatus }: FieldDefinition): boolean =>
  reviewStatus === "accepted" || reviewStatus === "edited";

const count = (number: number): string => number.toLocaleString("en-US");

class Chooser {
  readonly chosen: ChosenDefinition[] = [];
  readonly skipped: SkippedField[] = [];
  readonly #limits: WritingLimits;
  readonly #pages: ReadonlyMap<number, FormPage>;
  readonly #taken = new Map<FormPage, ReturnType<typeof boxesOfWidgets>>();
  readonly #written = new Map<number, number>();

  constructor(pages: readonly FormPage[], limits: WritingLimits) {
    this.#limits = limits;
    this.#pages = new Map(pages.map((page) => [page.pageNumber, page]));
  }

  take(definition: FieldDefinition): void {
    const { pageNumber, fieldName } = definition;
    const page = this.#pages.get(pageNumber);
    const reason =
      page === undefined ? `The document has no page ${pageNumber}` : this.#reasonAgainst(definition, page);
    if (page === undefined || reason !== undefined) {
      this.skipped.push({ fieldName, reason: reason ?? "" });
      return;
    }
    this.#written.set(pageNumber, (this.#written.get(pageNumber) ?? 0) + 1);
    this.chosen.push({ definition, page });
  }

  #reasonAgainst(definition: FieldDefinition, page: FormPage): string | undefined {
    const { minConfidence, pageRange } = this.#limits;
    const { confidence, pageNumber, source, reviewStatus } = definition;
    if (source === "widget") return "The document has this field already; it stays as it is";
    if (reviewStatus === "rejected") return "The review rejected it";
    if (pageRange !== undefined && !pageRange.includes(pageNumber)) return `Page ${pageNumber} is not in pageRange`;
    if (!isReviewed(definition) && confidence < minConfidence) {
      return `Its confidence of ${confidence} is below minConfidence ${minConfidence}`;
    }
    const [x0, y0, x1, y1] = rectangleOn(page, definition.entryBbox);
    if (x1 - x0 < MIN_SIDE_POINTS || y1 - y0 < MIN_SIDE_POINTS) {
      return `Its box has a side under ${MIN_SIDE_POINTS} points`;
    }
    if (this.#isTaken(definition, page)) return "The document has a field at this place already";
    return this.#reasonOfNumber(pageNumber);
  }

  #isTaken({ entryBbox }: FieldDefinition, page: FormPage): boolean {
    const boxes = this.#taken.get(page) ?? boxesOfWidgets(page);
    this.#taken.set(page, boxes);
    return boxes.some((box) => isSamePlace(box, entryBbox));
  }

  #reasonOfNumber(pageNumber: number): string | undefined {
    const { maxFieldsPerPage } = this.#limits;
    if ((this.#written.get(pageNumber) ?? 0) >= maxFieldsPerPage) {
      return `Page ${pageNumber} has more than ${count(maxFieldsPerPage)} fields; raise maxFieldsPerPage`;
    }
    if (this.chosen.length >= MAX_WRITTEN_FIELDS) {
      return `The form has more than ${count(MAX_WRITTEN_FIELDS)} fields; name fewer pages by pageRange`;
    }
    return undefined;
  }
}

/** Chooses the definitions that become fields, in their order. */
export function chooseDefinitions(
  definitions: readonly FieldDefinition[],
  pages: readonly FormPage[],
  limits: WritingLimits,
): { chosen: ChosenDefinition[]; skipped: SkippedField[] } {
  const chooser = new Chooser(pages, limits);
  for (const definition of definitions) chooser.take(definition);
  return chooser;
}
