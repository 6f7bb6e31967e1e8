/** The figures of detectors that make fewer mistakes than ours: bounds on what the truth of these forms lets one reach. */
import { causesOf } from "./causes.ts";
import { isComplete } from "./flat-forms.ts";
import { fieldsWithoutInk } from "./ink.ts";
import type { LeftOut } from "./leave-one-out.ts";
import { addCounts, type Counts, countClass, f1, NO_COUNTS, precision, recall } from "./score.ts";
import { FIELD_CLASSES, type FieldClass } from "./truth.ts";

const number = (value: number): string => (Number.isNaN(value) ? "–" : value.toFixed(3));

/** Counts of a finder of all that is printed to be filled in a form. */
export function printedCounts(result: LeftOut, fieldClass: FieldClass): Counts {
  const isOwn = (one: { fieldClass: string }): boolean => one.fieldClass === fieldClass;
  const causes = causesOf(result).filter(isOwn);
  const inkless = fieldsWithoutInk(result.form).filter(isOwn);
  const around = fieldClass === "choice" ? causes.filter(isAroundPlace) : [];
  const unseen = new Set([...inkless, ...around].map(({ box }) => box));
  const fields = result.form.truth.fields.filter(isOwn);
  const right = fields.filter(({ box }) => !unseen.has(box)).length;
  const unmarked = isComplete(result.form)
    ? []
    : causes.filter(({ side, cause }) => side === "false" && cause === "no widget");
  return { right, found: right + around.length + unmarked.length, true: fields.length };
}

/** True for a missed tick whose printed box lies in the widget, and has less than half of its size. */
const isAroundPlace = ({ side, cause }: { side: string; cause: string }): boolean =>
  side === "missed" && cause === "larger than the other";

/**
 * The figures of a finder of all that is printed: it finds each widget with ink exactly, but a box to tick as it is
 * printed, and on the incomplete forms the places without a widget that our detector finds. It cannot know which have one,
 * so that its average precision is about its precision times its recall at every overlap.
 */
function printedLine(results: readonly LeftOut[]): string {
  const classes = FIELD_CLASSES.map((one) =>
    results.map((result) => printedCounts(result, one)).reduce(addCounts, NO_COUNTS),
  );
  const cells = (counts: Counts): string =>
    `F1 ${number(f1(counts))} P × R ${number(precision(counts) * recall(counts))}`;
  return `    with all that is printed found, marked or not: ${cells(classes.reduce(addCounts))} (${FIELD_CLASSES.map((one, index) => `${one} ${cells(classes[index] ?? NO_COUNTS)}`).join(", ")})`;
}

/** The figures of a detector that finds every widget of the complete forms exactly, and else what was found. */
function completeLine(results: readonly LeftOut[]): string {
  const classes = FIELD_CLASSES.map((one) =>
    results
      .map(({ form, kept }): Counts => {
        if (!isComplete(form)) return countClass(kept, form.truth.fields, one);
        const { length } = form.truth.fields.filter(({ fieldClass }) => fieldClass === one);
        return { right: length, found: length, true: length };
      })
      .reduce(addCounts, NO_COUNTS),
  );
  return `    with the forms without * found exactly: F1 ${number(f1(classes.reduce(addCounts)))} (${FIELD_CLASSES.map((one, index) => `${one} ${number(f1(classes[index] ?? NO_COUNTS))}`).join(", ")})`;
}

export const ceilingLines = (results: readonly LeftOut[]): string[] => [completeLine(results), printedLine(results)];
