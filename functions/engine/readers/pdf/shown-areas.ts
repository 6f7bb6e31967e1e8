/**
 * Which text of a page is not shown: of hidden layers (layers.ts), and beyond its clip (PDF 32000-1, 8.5.4). Invisible
 * text (rendering mode 3) is meant to be read and not to be seen, so none of this holds for it.
 */
import type { Box } from "../../../ports/layout.ts";
import { clippedBox, isBox } from "./clip-boxes.ts";
import { objectsOf, type PlacedObject, TEXT } from "./page-objects.ts";
import { HIDDEN_KEY, LONGEST_LAYER, type PdfPage } from "./pdf-document.ts";
import { withCString, withMemory } from "./pdfium.ts";

const SCRATCH_BYTES = 256;
/** More than any page is long, points. */
const EVERYWHERE: Box = { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 };

/** By text object: what of the page its clip leaves; nothing for what a hidden layer holds. Absent: all of it. */
export type ShownAreas = ReadonlyMap<number, Box | undefined>;

interface Walk {
  page: PdfPage;
  scratch: number;
  /** The C string of what is asked of a mark: HIDDEN_KEY, or a layer's name. */
  key: number;
  /** Whether they are hidden. */
  forms: Map<PlacedObject, boolean>;
}

/** Whether a hidden layer holds an object itself. */
function isHidden(walk: Walk, object: number): boolean {
  const { pdfium, layers } = walk.page;
  const { call } = pdfium;
  const count = call.FPDFPageObj_CountMarks(object);
  for (let index = 0; index < count; index += 1) {
    const mark = call.FPDFPageObj_GetMark(object, index);
    if (layers === "marked") {
      if (call.FPDFPageObjMark_GetParamIntValue(mark, walk.key, walk.scratch) !== 0) return true;
    } else if (isLayerMark(walk, mark) && layers?.has(layerName(walk, mark)) === true) return true;
  }
  return false;
}

/** `OC` in UTF-16, with its end. */
const LAYER_TAG = [0x4f, 0, 0x43, 0, 0, 0];

function isLayerMark({ page: { pdfium }, scratch }: Walk, mark: number): boolean {
  const name = scratch + 8;
  if (pdfium.call.FPDFPageObjMark_GetName(mark, name, SCRATCH_BYTES - 8, scratch) === 0) return false;
  if (pdfium.view().getUint32(scratch, true) !== LAYER_TAG.length) return false;
  return LAYER_TAG.every((byte, at) => pdfium.view().getUint8(name + at) === byte);
}

/** A character a byte; none for a layer that is not described there. */
function layerName({ page: { pdfium }, scratch, key }: Walk, mark: number): string {
  const name = scratch + 8;
  if (pdfium.call.FPDFPageObjMark_GetParamBlobValue(mark, key, name, LONGEST_LAYER, scratch) === 0) return "";
  const length = Math.min(pdfium.view().getUint32(scratch, true), LONGEST_LAYER);
  return String.fromCharCode(...pdfium.bytes().subarray(name, name + length));
}

/** Whether a hidden layer holds an object, or one of the forms around it. */
function isWithinHidden(walk: Walk, { handle, scope: { form } }: PlacedObject): boolean {
  if (walk.page.layers === undefined) return false;
  return isHidden(walk, handle) || (form !== undefined && isFormHidden(walk, form));
}

function isFormHidden(walk: Walk, form: PlacedObject): boolean {
  const known = walk.forms.get(form);
  if (known !== undefined) return known;
  const hidden = isWithinHidden(walk, form);
  walk.forms.set(form, hidden);
  return hidden;
}

export function shownAreas(page: PdfPage): ShownAreas {
  const { pdfium } = page;
  return withCString(pdfium, page.layers === "marked" ? HIDDEN_KEY : "Name", (key) =>
    withMemory(pdfium, SCRATCH_BYTES, (scratch) => {
      const areas = new Map<number, Box | undefined>();
      const walk: Walk = { page, scratch, key, forms: new Map() };
      for (const object of objectsOf(page)) {
        if (object.type !== TEXT) continue;
        if (isWithinHidden(walk, object)) areas.set(object.handle, undefined);
        else {
          const area = clippedBox(pdfium, scratch, object.handle, object.scope.matrix, EVERYWHERE);
          if (area !== EVERYWHERE) areas.set(object.handle, isBox(area) ? area : undefined);
        }
      }
      return areas;
    }),
  );
}

/** Points: what is cut so near its edge may be seen. */
const EDGE = 0.5;

/** Whether a character stands wholly beyond what its object's clip leaves. */
export function isCutOff(areas: ShownAreas, object: number, { left, top, right, bottom }: Box): boolean {
  if (!areas.has(object)) return false;
  const area = areas.get(object);
  if (area === undefined) return true;
  return right < area.left - EDGE || left > area.right + EDGE || bottom < area.top - EDGE || top > area.bottom + EDGE;
}
