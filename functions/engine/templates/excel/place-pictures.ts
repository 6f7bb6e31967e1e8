/** Pictures over cells, in the sheet's drawing. */
import type { Json } from "../../../ports/json.ts";
import { addRelationship, OFFICE_RELATIONSHIPS, relationshipsOf } from "../office/part-relationships.ts";
import { type PictureParts, pictureSize, templatePicture } from "../office/template-picture.ts";
import { editPart } from "./move-related-parts.ts";
import { type TemplateWorkbook, typeOf } from "./workbook-source.ts";
import type { CellPicture } from "./write-rows.ts";
import type { SourceEdits, XmlNode } from "./xml-source.ts";

const DRAWING_TYPE = "application/vnd.openxmlformats-officedocument.drawing+xml";
const NAMESPACES = {
  xdr: "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing",
  a: "http://schemas.openxmlformats.org/drawingml/2006/main",
};
const EMPTY_DRAWING = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<xdr:wsDr xmlns:xdr="${NAMESPACES.xdr}" xmlns:a="${NAMESPACES.a}"></xdr:wsDr>`;

/** Elements of a worksheet that come after its drawing (18.3.1.99). */
const AFTER_DRAWING = new Set(
  "legacyDrawing legacyDrawingHF drawingHF picture oleObjects controls webPublishItems tableParts extLst".split(" "),
);

/** The drawing of a sheet, a new one where it has none. */
function drawingOf({ office }: TemplateWorkbook, sheetPart: string, edits: SourceEdits, root: XmlNode): string {
  const stated = relationshipsOf(office, sheetPart).find((one) => typeOf(one) === "drawing" && !one.external);
  if (stated !== undefined) return stated.target;
  const name = office.freeName("xl/drawings/drawing", ".xml");
  office.add(name, EMPTY_DRAWING, DRAWING_TYPE);
  const id = addRelationship(office, sheetPart, `${OFFICE_RELATIONSHIPS}/drawing`, name);
  const prefix = root.tag.slice(0, root.tag.length - root.name.length);
  // Extensions of alternate content may come at the end too.
  const next = root.children.find((child) => AFTER_DRAWING.has(child.name) || isOldDrawing(edits, child));
  const at = next?.start ?? root.contentEnd;
  edits.replace(at, at, `<${prefix}drawing xmlns:r="${OFFICE_RELATIONSHIPS}" r:id="${id}"/>`);
  return name;
}

const isOldDrawing = (edits: SourceEdits, node: XmlNode): boolean =>
  node.name === "AlternateContent" && /<(?:\w+:)?(?:controls|oleObjects)\b/.test(edits.xml.slice(node.start, node.end));

function anchor(
  id: string,
  number: number,
  { row, column }: CellPicture,
  size: { width: number; height: number },
): string {
  const { width, height } = size;
  return (
    `<xdr:oneCellAnchor xmlns:xdr="${NAMESPACES.xdr}"><xdr:from><xdr:col>${column - 1}</xdr:col><xdr:colOff>0</xdr:colOff>` +
    `<xdr:row>${row - 1}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext cx="${width}" cy="${height}"/>` +
    `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${number}" name="Picture ${number}"/><xdr:cNvPicPr><a:picLocks xmlns:a="${NAMESPACES.a}" noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr>` +
    `<xdr:blipFill><a:blip xmlns:a="${NAMESPACES.a}" xmlns:r="${OFFICE_RELATIONSHIPS}" r:embed="${id}"/><a:stretch xmlns:a="${NAMESPACES.a}"><a:fillRect/></a:stretch></xdr:blipFill>` +
    `<xdr:spPr><a:xfrm xmlns:a="${NAMESPACES.a}"><a:off x="0" y="0"/><a:ext cx="${width}" cy="${height}"/></a:xfrm><a:prstGeom xmlns:a="${NAMESPACES.a}" prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic>` +
    "<xdr:clientData/></xdr:oneCellAnchor>"
  );
}

/** First free number of a drawing's shapes. */
const freeNumber = (xml: string): number =>
  Math.max(1, ...[...xml.matchAll(/cNvPr\b[^>]*?\sid="(\d+)"/g)].map(([, id]) => Number(id))) + 1;

/**
 * Puts pictures over cells.
 * @param edits of the sheet's part, which gets a drawing
 * @throws BadRequest for a value that names no picture
 */
export function placePictures(
  workbook: TemplateWorkbook,
  sheet: { part: string; edits: SourceEdits; root: XmlNode },
  pictures: readonly CellPicture[],
  images: { bytes: ReadonlyMap<string, Uint8Array>; parts: PictureParts },
): void {
  if (pictures.length === 0) return;
  const drawing = drawingOf(workbook, sheet.part, sheet.edits, sheet.root);
  const anchors = (first: number): string[] =>
    pictures.map((one, index) => {
      const picture = templatePicture(one.field, one.value as Json, images.bytes);
      return anchor(images.parts.relate(drawing, picture), first + index, one, pictureSize(picture));
    });
  editPart(workbook, drawing, (edits, root) => edits.append(root, anchors(freeNumber(edits.xml)).join("")));
}
