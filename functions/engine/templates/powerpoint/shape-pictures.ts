/** Puts a picture in the place of a shape: a text whose tag names it, or a picture whose alternative text does. */
import type { Json } from "../../../ports/json.ts";
import { badValue } from "../field-values.ts";
import { OFFICE_RELATIONSHIPS, relationshipsOf } from "../office/part-relationships.ts";
import { fieldName } from "../office/tag-fields.ts";
import type { TemplatePackage } from "../office/template-package.ts";
import {
  type PictureParts,
  pictureSize,
  type SizeEmu,
  type TemplatePicture,
  templatePicture,
} from "../office/template-picture.ts";
import {
  childNode,
  childNodes,
  cloneNode,
  descendants,
  localName,
  parseTree,
  type XmlNode,
} from "../office/xml-tree.ts";
import { shapeProperties, type TagSpot } from "./deck-tags.ts";

const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main";
const PRESENTATION = "http://schemas.openxmlformats.org/presentationml/2006/main";
/** A box of a shape that states none, anywhere: ten centimetres, at the slide's corner. */
const DEFAULT_BOX = { x: 0, y: 0, width: 3_600_000, height: 3_600_000 };

interface Box extends SizeEmu {
  x: number;
  y: number;
}

const emu = (text: string | undefined): number => (/^-?\d{1,12}$/.test(text ?? "") ? Number(text) : 0);

/** The box that a shape states itself. */
function statedBox(shape: XmlNode): Box | undefined {
  const frame = childNode(childNode(shape, "spPr"), "xfrm");
  const [offset, extent] = [childNode(frame, "off"), childNode(frame, "ext")];
  const box = {
    x: emu(offset?.attributes.x),
    y: emu(offset?.attributes.y),
    width: emu(extent?.attributes.cx),
    height: emu(extent?.attributes.cy),
  };
  return box.width > 0 && box.height > 0 ? box : undefined;
}

const placeholderOf = (shape: XmlNode): XmlNode | undefined => [...descendants(shape, "ph")][0];

/** The box of the placeholder that a shape takes its place from, in the slide's layout or its master. */
function inheritedBox(office: TemplatePackage, part: string, shape: XmlNode): Box | undefined {
  const own = placeholderOf(shape);
  if (own === undefined) return undefined;
  let name: string | undefined = part;
  for (const step of ["/slideLayout", "/slideMaster"]) {
    name = relationshipsOf(office, name).find(({ type }) => type.endsWith(step))?.target;
    const bytes = name === undefined ? undefined : office.read(name);
    if (name === undefined || bytes === undefined) return undefined;
    const shapes = [...descendants(parseTree(bytes), "sp")];
    const { idx, type = "body" } = own.attributes;
    const same = shapes.find((one) => {
      const other = placeholderOf(one)?.attributes;
      if (other === undefined) return false;
      return idx !== undefined && step === "/slideLayout" ? other.idx === idx : (other.type ?? "body") === type;
    });
    const box = same === undefined ? undefined : statedBox(same);
    if (box !== undefined) return box;
  }
  return undefined;
}

const node = (name: string, attributes: Record<string, string> = {}, children: XmlNode[] = []): XmlNode => ({
  name,
  attributes,
  children,
});

const frameNode = ({ x, y, width, height }: Box, prefix = "a:", more: Record<string, string> = {}): XmlNode =>
  node(`${prefix}xfrm`, more, [
    node(`${prefix}off`, { x: String(Math.round(x)), y: String(Math.round(y)) }),
    node(`${prefix}ext`, { cx: String(width), cy: String(height) }),
  ]);

/** The picture in the middle of the shape's box. */
function placeIn(box: Box, picture: TemplatePicture): Box {
  const { width, height } = pictureSize(picture, box, true);
  return { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height };
}

function newPicture(shape: XmlNode, box: Box, id: string, label: string): XmlNode {
  const { id: shapeId = "2", name = label } = shapeProperties(shape)?.attributes ?? {};
  return node("p:pic", { "xmlns:p": PRESENTATION, "xmlns:a": DRAWING, "xmlns:r": OFFICE_RELATIONSHIPS }, [
    node("p:nvPicPr", {}, [
      node("p:cNvPr", { id: shapeId, name, descr: label }),
      node("p:cNvPicPr", {}, [node("a:picLocks", { noChangeAspect: "1" })]),
      node("p:nvPr"),
    ]),
    node("p:blipFill", {}, [node("a:blip", { "r:embed": id }), node("a:stretch", {}, [node("a:fillRect")])]),
    node("p:spPr", {}, [frameNode(box), node("a:prstGeom", { prst: "rect" }, [node("a:avLst")])]),
  ]);
}

/** The shape with another picture: frame, effects and animations stay; its cut and its drawing for other sizes go. */
function exchangedPicture(shape: XmlNode, box: Box, id: string, label: string): XmlNode {
  const copy = cloneNode(shape);
  const properties = shapeProperties(copy);
  if (properties !== undefined) properties.attributes.descr = label;
  const fill = childNode(copy, "blipFill");
  const [blip] = [...descendants(copy, "blip")];
  if (fill === undefined || blip === undefined) return newPicture(shape, box, id, label);
  const { cstate: _, ...others } = blip.attributes;
  const kept = Object.entries(others).filter(([name]) => !/:(?:embed|link)$/.test(name));
  blip.attributes = { ...Object.fromEntries(kept), "xmlns:r": OFFICE_RELATIONSHIPS, "r:embed": id };
  blip.children = [];
  fill.children = fill.children.filter((child) => typeof child === "string" || localName(child) !== "srcRect");
  const own = childNode(copy, "spPr");
  const frame = childNode(own, "xfrm");
  if (own !== undefined && frame !== undefined) {
    const prefix = frame.name.slice(0, frame.name.indexOf(":") + 1);
    own.children[own.children.indexOf(frame)] = frameNode(box, prefix, frame.attributes);
  } else own?.children.unshift(frameNode(box));
  return copy;
}

export class ShapePictures {
  readonly #office: TemplatePackage;
  readonly #parts: PictureParts;
  readonly #images: ReadonlyMap<string, Uint8Array>;

  constructor(office: TemplatePackage, parts: PictureParts, images: ReadonlyMap<string, Uint8Array>) {
    this.#office = office;
    this.#parts = parts;
    this.#images = images;
  }

  /**
   * @param part that the shape is drawn in, as it is filled
   * @returns undefined where no picture is given: the shape goes
   * @throws BadRequest for a value that is no picture, and for a shape that can hold none
   */
  replace(part: string, shape: XmlNode, value: Json | undefined, spot: TagSpot): XmlNode | undefined {
    const field = "expression" in spot.tag ? fieldName(spot.tag.expression.path) : "";
    if (value === undefined || value === null || value === "") return undefined;
    const picture = templatePicture(field, value, this.#images);
    if (childNodes(shape).length === 0) throw badValue(field, `The field ${field} has no place for a picture`);
    const box = placeIn(statedBox(shape) ?? inheritedBox(this.#office, spot.part.name, shape) ?? DEFAULT_BOX, picture);
    const id = this.#parts.relate(part, picture);
    return localName(shape) === "pic" ? exchangedPicture(shape, box, id, field) : newPicture(shape, box, id, field);
  }
}
