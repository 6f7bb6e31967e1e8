/** The widgets of a page of a form as entries: with the words written in them and the print that names them. */
import type { Box, FormEntry, Page } from "../../../ports/layout.ts";
import { containsBox, containsMiddle, middleY } from "../../layout/geometry.ts";
import { pageWords } from "../../layout/page-words.ts";
import { boxInInches, boxInPoints } from "../../readers/pdf/points-to-inches.ts";
import { rotateBox } from "../../readers/pdf/text-directions.ts";
import type { Candidate } from "../detect/candidate.ts";
import { groupChoices } from "../detect/choice-groups.ts";
import type { JudgedCandidate } from "../detect/confidence.ts";
import type { FormPageContent } from "../detect/form-page.ts";
import { findLabel } from "../detect/labels.ts";
import { PageSpace } from "../detect/page-space.ts";
import { printAbout } from "./entry-print.ts";
import type { EntryWidget } from "./form-widgets.ts";
import { pageLabels } from "./page-labels.ts";
import { placeToWrite } from "./place-to-write.ts";

const isTick = ({ field: { type } }: EntryWidget): boolean => type === "checkbox" || type === "radio";

/** The content without what stands in the widgets: the print alone. */
function printOf(content: FormPageContent, boxes: readonly Box[]): FormPageContent {
  const isFree = ({ box }: { box: Box }): boolean => !boxes.some((widget) => containsMiddle(widget, box));
  return { ...content, words: content.words.filter(isFree), marks: content.marks.filter(isFree), widgets: [] };
}

/** A widget as a place. */
const placeOf = (widget: EntryWidget, box: Box, boxes: readonly Box[], space: PageSpace): Candidate =>
  isTick(widget)
    ? { shape: widget.field.type === "radio" ? "round" : "square", box, around: box }
    : placeToWrite(box, boxes, space);

interface Question {
  text: string;
  /** From 0 on the page. */
  group: number;
}

/** The questions of the places to tick, by their boxes. */
function questionsOf(places: readonly JudgedCandidate[], space: PageSpace): Map<Box, Question> {
  const sorted = places.toSorted(
    (a, b) => middleY(a.candidate.box) - middleY(b.candidate.box) || a.candidate.box.left - b.candidate.box.left,
  );
  return new Map(
    groupChoices(sorted, space).flatMap(({ members, question: text }, group) =>
      members.map(({ candidate }): [Box, Question] => [candidate.box, { text, group }]),
    ),
  );
}

const isTicked = ({ type, value, state }: EntryWidget["field"]): boolean =>
  typeof value === "string" && (type === "checkbox" && state === undefined ? value !== "Off" : value === state);

/** The widgets of a page as entries. @param page with the words in their final boxes, as shown */
export function widgetEntries(widgets: readonly EntryWidget[], content: FormPageContent, page: Page): FormEntry[] {
  const boxes = widgets.map(({ box }) => rotateBox(box, -content.angle));
  const space = new PageSpace(printOf(content, boxes));
  const places = widgets.map((widget, index): JudgedCandidate => {
    const candidate = placeOf(widget, boxes[index] ?? widget.box, boxes, space);
    return { candidate, label: findLabel(candidate, space), signs: {}, confidence: 1 };
  });
  const labels = pageLabels(places, space);
  const questions = questionsOf(places, space);
  const words = pageWords(page).map((word) => ({ word, box: boxInPoints(word.box) }));
  return widgets.map((widget, index): FormEntry => {
    const place = places[index] as JudgedCandidate;
    const own = words.filter(
      ({ box }) =>
        containsMiddle(widget.box, box) &&
        // The inner one of nested widgets holds the word.
        !widgets.some((one) => one !== widget && containsBox(widget.box, one.box) && containsMiddle(one.box, box)),
    );
    const question = questions.get(place.candidate.box);
    const print = printAbout(place.candidate, boxes, space, question?.text, labels.get(place));
    return {
      kind: isTick(widget) ? "tick" : "text",
      box: boxInInches(widget.box),
      ...print,
      words: own.map(({ word }) => word.box),
      ...(isTick(widget) ? { ticked: isTicked(widget.field) } : {}),
      ...(question === undefined ? {} : { group: question.group }),
      field: widget.field,
    };
  });
}
