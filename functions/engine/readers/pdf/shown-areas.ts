/**
 * Areas of a page's text that are shown: not in hidden layers (optional-content.ts), and within the clip (PDF 32000-1,
 * 8.5.4). Invisible text (rendering mode 3) is meant to be read although it is not seen, and is exempt.
 */
import type { Box } from "../../../ports/layout.ts";
import { clippedBox, isBox } from "./clip-boxes.ts";
import { OBJECT_TEXT, objectsOf, type PlacedObject } from "./page-objects.ts";
import { HIDDEN_LAYER_KEY, MAX_LAYER_NAME_BYTES, type PdfPage } from "./pdf-page.ts";
import { withCString, withMemory } from "./pdfium.ts";

const SCRATCH_BYTES = 256;
/** Larger than any page, in points. */
const UNCLIPPED_BOX: Box = { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 };

/**
 * The visible area of each text object after clipping; undefined for an object in a hidden layer, absent for one that
 * is not clipped.
 */
export type ShownAreas = ReadonlyMap<number, Box | undefined>;

interface LayerWalk {
  page: PdfPage;
  scratch: number;
  /** C string of the mark's parameter to read: HIDDEN_LAYER_KEY, or `Name` for the layer's name. */
  key: number;
  /** Forms already checked, true for hidden ones. */
  forms: Map<PlacedObject, boolean>;
}

/** Tells whether an object stands in a hidden layer itself. */
function isHidden(walk: LayerWalk, object: number): boolean {
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

/** `OC` in UTF-16 with its terminator. */
const LAYER_TAG_BYTES = [0x4f, 0, 0x43, 0, 0, 0];

function isLayerMark({ page: { pdfium }, scratch }: LayerWalk, mark: number): boolean {
  const name = scratch + 8;
  if (pdfium.call.FPDFPageObjMark_GetName(mark, name, SCRATCH_BYTES - 8, scratch) === 0) return false;
  if (pdfium.view().getUint32(scratch, true) !== LAYER_TAG_BYTES.length) return false;
  return LAYER_TAG_BYTES.every((byte, at) => pdfium.view().getUint8(name + at) === byte);
}

/** The layer's name, one character a byte; empty for a mark without one. */
function layerName({ page: { pdfium }, scratch, key }: LayerWalk, mark: number): string {
  const name = scratch + 8;
  if (pdfium.call.FPDFPageObjMark_GetParamBlobValue(mark, key, name, MAX_LAYER_NAME_BYTES, scratch) === 0) return "";
  const length = Math.min(pdfium.view().getUint32(scratch, true), MAX_LAYER_NAME_BYTES);
  return String.fromCharCode(...pdfium.bytes().subarray(name, name + length));
}

/** Tells whether an object, or a form around it, stands in a hidden layer. */
function isWithinHidden(walk: LayerWalk, { handle, scope: { form } }: PlacedObject): boolean {
  if (walk.page.layers === undefined) return false;
  return isHidden(walk, handle) || (form !== undefined && isFormHidden(walk, form));
}

function isFormHidden(walk: LayerWalk, form: PlacedObject): boolean {
  const known = walk.forms.get(form);
  if (known !== undefined) return known;
  const hidden = isWithinHidden(walk, form);
  walk.forms.set(form, hidden);
  return hidden;
}

/** Finds the visible areas of a page's text objects. */
export function shownAreas(page: PdfPage): ShownAreas {
  const { pdfium } = page;
  return withCString(pdfium, page.layers === "marked" ? HIDDEN_LAYER_KEY : "Name", (key) =>
    withMemory(pdfium, SCRATCH_BYTES, (scratch) => {
      const areas = new Map<number, Box | undefined>();
      const walk: LayerWalk = { page, scratch, key, forms: new Map() };
      for (const object of objectsOf(page)) {
        if (object.type !== OBJECT_TEXT) continue;
        if (isWithinHidden(walk, object)) areas.set(object.handle, undefined);
        else {
          const area = clippedBox(pdfium, scratch, object.handle, object.scope.matrix, UNCLIPPED_BOX);
          if (area !== UNCLIPPED_BOX) areas.set(object.handle, isBox(area) ? area : undefined);
        }
      }
      return areas;
    }),
  );
}

/** Tolerance in points: a character cut this close to its edge may be visible. */
const CLIP_EDGE_POINTS = 0.5;

/** Tells whether a character stands wholly outside the visible area of its object. */
export function isClipped(areas: ShownAreas, object: number, { left, top, right, bottom }: Box): boolean {
  if (!areas.has(object)) return false;
  const area = areas.get(object);
  if (area === undefined) return true;
  return (
    right < area.left - CLIP_EDGE_POINTS ||
    left > area.right + CLIP_EDGE_POINTS ||
    bottom < area.top - CLIP_EDGE_POINTS ||
    top > area.bottom + CLIP_EDGE_POINTS
  );
}
