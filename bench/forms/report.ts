/** The lines that the bench of flat forms prints. */
import { foldText } from "../../functions/engine/values/text-folding.ts";
import { quantile } from "../support/spread.ts";
import { ceilingLines } from "./ceilings.ts";
import { byCells } from "./comb-cells.ts";
import { LEAST_COVER, onCoveredPages } from "./covered-pages.ts";
import { isComplete } from "./flat-forms.ts";
import { fieldsWithoutInk } from "./ink.ts";
import { atLeast, countAll, type LeftOut } from "./leave-one-out.ts";
import {
  addCounts,
  type Counts,
  countClass,
  countMiddles,
  f1,
  meanAveragePrecision,
  pair,
  precision,
  RIGHT_IOU,
  recall,
} from "./score.ts";
import { FIELD_CLASSES } from "./truth.ts";
import { unmarkedTwins } from "./unmarked-twins.ts";

/** Rounds of the bootstrap, and the share of its results inside of the interval. */
const ROUNDS = 2_000;
const INTERVAL = 0.95;
/** Share of a label's words that the tooltip has, for the label to be right. */
const LABEL_SHARE = 0.5;
const DEFAULT_CONFIDENCE = 0.35;

const number = (value: number): string => (Number.isNaN(value) ? "  –  " : value.toFixed(3));
const cells = (counts: Counts): string =>
  `P ${number(precision(counts))} R ${number(recall(counts))} F1 ${number(f1(counts))}`;

const wordsOf = (text: string): string[] => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Labels of right detections that the widget's tooltip confirms, among those with a tooltip. */
function labelCounts({ form, kept }: LeftOut): { right: number; all: number } {
  const counts = { right: 0, all: 0 };
  for (const [{ label }, { tooltip }] of pair(kept, form.truth.fields, RIGHT_IOU)) {
    if (tooltip === undefined || wordsOf(tooltip).length === 0) continue;
    counts.all += 1;
    const said = new Set(wordsOf(tooltip));
    const own = wordsOf(label);
    if (own.length > 0 && own.filter((word) => said.has(word)).length >= LABEL_SHARE * own.length) counts.right += 1;
  }
  return counts;
}

/** F1 of forms drawn again and again with repetition: the middle of the results. */
function bootstrap(results: readonly LeftOut[]): [number, number] {
  const counts = results.map(({ form, kept }) => countAll(form, kept));
  let state = 20_240_501;
  // A linear congruential generator (Numerical Recipes, 7.1): the same interval for the same results.
  const draw = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const scores = Array.from({ length: ROUNDS }, () =>
    f1(
      counts.map(() => counts[Math.floor(draw() * counts.length)] ?? { right: 0, found: 0, true: 0 }).reduce(addCounts),
    ),
  );
  return [quantile(scores, (1 - INTERVAL) / 2), quantile(scores, (1 + INTERVAL) / 2)];
}

function formLine(result: LeftOut): string {
  const { form, threshold, kept, detections } = result;
  const scored = [{ detections, fields: form.truth.fields }];
  const classes = FIELD_CLASSES.map((one) => {
    const counts = countClass(kept, form.truth.fields, one);
    return counts.true === 0
      ? `${one} –`
      : `${one} ${number(f1(counts))} mAP ${number(meanAveragePrecision(scored, one))}`;
  });
  const { right, all } = labelCounts(result);
  const { unmarked, twins } = unmarkedTwins(result);
  return [
    `${isComplete(form) ? " " : "*"} ${form.name.slice(0, 28).padEnd(29)}${cells(countAll(form, kept))} from ${threshold.toFixed(2)}`,
    ...classes,
    `labels ${all === 0 ? "–" : `${right}/${all}`}`,
    `unmarked ${unmarked}, twins ${twins}`,
    `${(form.seconds / form.pages.length).toFixed(3)} s/page`,
  ].join("  ");
}

function sumLines(title: string, results: readonly LeftOut[]): string[] {
  const scored = results.map(({ form, detections }) => ({ detections, fields: form.truth.fields }));
  const all = results.map(({ form, kept }) => countAll(form, kept)).reduce(addCounts);
  const [low, high] = bootstrap(results);
  const labels = results.map(labelCounts).reduce((a, b) => ({ right: a.right + b.right, all: a.all + b.all }));
  const seconds = results.reduce((sum, { form }) => sum + form.seconds, 0);
  const pages = results.reduce((sum, { form }) => sum + form.pages.length, 0);
  const atDefault = results
    .map(({ form, detections }) => countAll(form, atLeast(detections, DEFAULT_CONFIDENCE)))
    .reduce(addCounts);
  const middles = results.map(({ form, kept }) => countMiddles(kept, form.truth.fields)).reduce(addCounts);
  const cellwise = results
    .map(byCells)
    .map(({ form, kept }) => countAll(form, kept))
    .reduce(addCounts);
  const inkless = results.flatMap(({ form }) => fieldsWithoutInk(form));
  const precisions = FIELD_CLASSES.map((one) => meanAveragePrecision(scored, one));
  return [
    `${title}: ${results.length} forms, ${pages} pages, ${all.true} widgets`,
    ...FIELD_CLASSES.map((one, index) => {
      const counts = results.map(({ form, kept }) => countClass(kept, form.truth.fields, one)).reduce(addCounts);
      return `    ${one.padEnd(10)} ${cells(counts)}  mAP50-95 ${number(precisions[index] ?? Number.NaN)}  ${counts.right} right of ${counts.found}, ${counts.true} true`;
    }),
    `    all        ${cells(all)} (95 %: ${number(low)}–${number(high)}), mean of the forms' F1 ${number(results.reduce((sum, { form, kept }) => sum + f1(countAll(form, kept)), 0) / results.length)}`,
    `    mAP50-95 of text and choices ${number(((precisions[0] ?? 0) + (precisions[1] ?? 0)) / 2)}; from confidence ${DEFAULT_CONFIDENCE} ${cells(atDefault)}`,
    `    right by middles that lie in each other, whatever the sizes: ${cells(middles)}`,
    `    fields without any ink: ${inkless.length} of ${all.true} (${FIELD_CLASSES.map((one) => `${one} ${inkless.filter(({ fieldClass }) => fieldClass === one).length}`).join(", ")}); recall of places with ink at most ${number(1 - inkless.length / all.true)}, reached ${number(recall(all))}`,
    `    combs by their cells, where each cell has a widget of its own: ${cells(cellwise)}`,
    `    labels ${labels.right} of ${labels.all}; ${(seconds / pages).toFixed(3)} s/page`,
  ];
}

/** A table by form and in all. */
export function reportLines(title: string, results: readonly LeftOut[]): string[] {
  return [
    title,
    ...results.map(formLine),
    ...sumLines("all", results),
    ...ceilingLines(results),
    ...sumLines(
      "without * (most places without a widget)",
      results.filter(({ form }) => isComplete(form)),
    ),
    ...sumLines(`pages with widgets at ${LEAST_COVER * 100} % of their printed ticks`, results.map(onCoveredPages)),
  ];
}
