/** Pictures in runs and in content controls. */
import { pictureSize, type SizeEmu, type TemplatePicture } from "../office/template-picture.ts";
import { contentWithRuns, pictureControl, writeReplaced } from "./control-markup.ts";
import type { Control } from "./controls.ts";
import { attributeOf, descendants, escapeXml, withAttribute, type XmlElement, type XmlNode } from "./word-xml.ts";

const NAMESPACES = {
  wp: "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
  a: "http://schemas.openxmlformats.org/drawingml/2006/main",
  pic: "http://schemas.openxmlformats.org/drawingml/2006/picture",
  r: "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
} as const;

/** Largest side of a picture without measures: the text's width on A4 with margins of an inch. */
const MAX_BOX: SizeEmu = { width: 5_731_200, height: 8_863_200 };

/** A picture in the line, as a run. @param id of its relationship @param number of the drawing, unlike any other in the part */
export function pictureRun(picture: TemplatePicture, id: string, number: number, name: string): string {
  const { width, height } = pictureSize(picture, MAX_BOX);
  const label = escapeXml(name);
  return [
    `<w:r><w:drawing><wp:inline xmlns:wp="${NAMESPACES.wp}" distT="0" distB="0" distL="0" distR="0">`,
    `<wp:extent cx="${width}" cy="${height}"/><wp:effectExtent l="0" t="0" r="0" b="0"/>`,
    `<wp:docPr id="${number}" name="${label}"/><wp:cNvGraphicFramePr/>`,
    `<a:graphic xmlns:a="${NAMESPACES.a}"><a:graphicData uri="${NAMESPACES.pic}">`,
    `<pic:pic xmlns:pic="${NAMESPACES.pic}"><pic:nvPicPr><pic:cNvPr id="${number}" name="${label}"/><pic:cNvPicPr/></pic:nvPicPr>`,
    `<pic:blipFill><a:blip xmlns:r="${NAMESPACES.r}" r:embed="${escapeXml(id)}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>`,
    `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${width}" cy="${height}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>`,
    "</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>",
  ].join("");
}

const first = (element: XmlElement, name: string, attribute?: string): XmlElement | undefined => {
  for (const one of descendants(element)) {
    if (one.name === name && (attribute === undefined || attributeOf(one, attribute) !== undefined)) return one;
  }
  return undefined;
};

const emu = (element: XmlElement, name: string): number => {
  const value = Number(attributeOf(element, name));
  return Number.isFinite(value) && value > 0 ? value : 0;
};

/**
 * A picture control with another picture, as large as its frame allows.
 * @param newRun makes the markup of a picture, for a control that has none
 */
export function filledPictureControl(
  control: Control,
  picture: TemplatePicture,
  id: string,
  newRun: () => string,
): string {
  const { content } = control;
  const blip = first(content, "a:blip");
  const extent = first(content, "wp:extent");
  if (blip === undefined || extent === undefined) return pictureControl(control, contentWithRuns(control, newRun()));
  const frame = { width: emu(extent, "cx"), height: emu(extent, "cy") };
  const size = pictureSize(picture, frame.width > 0 && frame.height > 0 ? frame : MAX_BOX, true);
  const sized = (element: XmlElement): string => {
    const wide = { ...element, open: withAttribute(element, "cx", String(size.width)) };
    return withAttribute(wide, "cy", String(size.height));
  };
  const prefix = /\s([\w.-]+):(?:embed|link)\s*=/u.exec(blip.open)?.[1] ?? "r";
  const embedded = withAttribute(blip, `${prefix}:embed`, id).replace(
    new RegExp(`\\s${prefix}:link\\s*=\\s*"[^"]*"`, "u"),
    "",
  );
  // Other drawings of the picture, such as an SVG, are of the old one.
  const replaced = new Map<XmlNode, string>([
    [blip, embedded.endsWith("/>") ? embedded : embedded.replace(/>$/u, "/>")],
    [extent, sized(extent)],
  ]);
  const shape = first(content, "a:ext", "cx");
  if (shape !== undefined) replaced.set(shape, sized(shape));
  return pictureControl(control, writeReplaced(content, replaced));
}
