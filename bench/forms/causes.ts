/** Causes of what detection misses and of what it finds in vain: where to look for the next gain. */
import { fieldTypeOf } from "../../functions/engine/forms/detect/field-types.ts";
import { area, containsMiddle } from "../../functions/engine/layout/geometry.ts";
import type { LabelledDetection, LeftOut } from "./leave-one-out.ts";
import { pair, RIGHT_IOU } from "./score.ts";
import { classOf, iou, type TrueField } from "./truth.ts";

export interface Cause {
  pageNumber: number;
  /** A widget that is missed, or a place without one. */
  side: "missed" | "false";
  cause: string;
  fieldClass: string;
  /** The shape that suggested the place; of a widget, that of the nearest place. */
  shape: string;
  box: TrueField["box"];
}

interface Boxed {
  box: TrueField["box"];
}

/** How a place and the ones of the other side that it shares a middle with differ. */
function misfit({ box }: Boxed, others: readonly Boxed[], whole: string, part: string): string | undefined {
  const inside = others.filter((one) => containsMiddle(box, one.box));
  if (inside.length > 1) return whole;
  const around = others.find((one) => containsMiddle(one.box, box));
  const near = inside[0] ?? around;
  if (near === undefined) return undefined;
  const isMutual = containsMiddle(box, near.box) && containsMiddle(near.box, box);
  if (isMutual) return area(box) > area(near.box) ? "larger than the other" : "smaller than the other";
  return around === undefined ? "larger than the other" : part;
}

function causeOfMiss(
  field: TrueField,
  { form, kept }: LeftOut,
  taken: ReadonlySet<LabelledDetection>,
): Omit<Cause, "side" | "box" | "pageNumber" | "fieldClass"> {
  const own = kept.filter(({ pageNumber }) => pageNumber === field.pageNumber);
  const same = own.find((one) => iou(one.box, field.box) >= RIGHT_IOU);
  if (same !== undefined)
    return { cause: taken.has(same) ? "two widgets at one place" : `found as ${same.fieldClass}`, shape: same.shape };
  const page = form.pages[field.pageNumber - 1];
  const candidate = page?.candidates.find((one) => iou(one.candidate.box, field.box) >= RIGHT_IOU);
  if (candidate !== undefined) {
    const type = classOf(fieldTypeOf(candidate, undefined, page?.em ?? 1));
    return { cause: type === field.fieldClass ? "unsure" : `unsure, and as ${type}`, shape: candidate.candidate.shape };
  }
  const cause = misfit(field, own, "found in parts", "part of one place");
  if (cause !== undefined)
    return {
      cause,
      shape: own.find((one) => containsMiddle(one.box, field.box) || containsMiddle(field.box, one.box))?.shape ?? "",
    };
  return { cause: "no candidate", shape: "" };
}

/** What a form's detection misses and finds in vain, each with its cause. */
export function causesOf(result: LeftOut): Cause[] {
  const { form, kept } = result;
  const pairs = pair(kept, form.truth.fields, RIGHT_IOU);
  const met = new Set(pairs.values());
  const taken = new Set(pairs.keys());
  const missed = form.truth.fields
    .filter((field) => !met.has(field))
    .map(
      (field): Cause => ({
        ...causeOfMiss(field, result, taken),
        side: "missed",
        fieldClass: field.fieldClass,
        box: field.box,
        pageNumber: field.pageNumber,
      }),
    );
  const vain = kept
    .filter((one) => !pairs.has(one))
    .map((one): Cause => {
      const fields = form.truth.fields.filter(({ pageNumber }) => pageNumber === one.pageNumber);
      const same = fields.find(({ box }) => iou(box, one.box) >= RIGHT_IOU);
      const cause =
        same === undefined
          ? (misfit(one, fields, "over several widgets", "part of a widget") ?? "no widget")
          : met.has(same)
            ? "found twice"
            : `is ${same.fieldClass}`;
      return {
        cause,
        shape: one.shape,
        side: "false",
        fieldClass: one.fieldClass,
        box: one.box,
        pageNumber: one.pageNumber,
      };
    });
  return [...missed, ...vain];
}

/** Lines of a table of the causes of forms, the most frequent first. */
export function causeLines(results: readonly LeftOut[]): string[] {
  const rows = results.flatMap((result) => causesOf(result).map((one) => ({ ...one, form: result.form.name })));
  const groups = Map.groupBy(
    rows,
    ({ side, fieldClass, shape, cause }) => `${side.padEnd(6)} ${fieldClass.padEnd(9)} ${shape.padEnd(10)} ${cause}`,
  );
  return [...groups]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([key, own]) => {
      const byForm = [...Map.groupBy(own, ({ form }) => form)].sort(([, a], [, b]) => b.length - a.length);
      return `  ${String(own.length).padStart(4)} ${key.padEnd(60)} ${byForm.map(([form, all]) => `${form.slice(0, 12)} ${all.length}`).join(", ")}`;
    });
}
