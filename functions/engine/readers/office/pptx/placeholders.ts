/**
 * Properties that a slide's placeholders inherit from its layout and master (ECMA-376 part 1, 19.3.1.36): place,
 * bullets and type size. Text in layouts and masters is a prompt and is never read.
 */
import type { Box } from "../../../../ports/layout.ts";
import type { OfficePackage } from "../office-package.ts";
import { readRelationships, relatedPart } from "../relationships.ts";
import { typeSizeOf } from "../shape-text.ts";
import { bulletOf } from "../symbol-fonts.ts";
import {
  childOf,
  descendantOf,
  elementsOf,
  findAll,
  integerOf,
  isOn,
  parseXml,
  type XmlBudget,
  type XmlElement,
} from "../xml-parts.ts";
import { IDENTITY_TRANSFORM, readFrame } from "./graphic-frames.ts";

export type Bullet =
  | { kind: "none" }
  | { kind: "sign"; text: string }
  | { kind: "count"; scheme: string; start: number };

/** Style of one level of paragraphs. */
export interface LevelStyle {
  bullet?: Bullet;
  /** Points. */
  size?: number;
  bold?: boolean;
}

export interface Placeholder {
  type: string;
  index: string | undefined;
}

/** Styles by level, from 0. */
type LevelStyles = ReadonlyMap<number, LevelStyle>;

interface PlaceholderTemplate {
  placeholder: Placeholder;
  box: Box | undefined;
  levels: LevelStyles;
}

/** The templates of a slide layout or master. */
interface TemplatePart {
  templates: PlaceholderTemplate[];
  /** Styles by the kind of placeholder; a master only. */
  styles: Readonly<Record<"title" | "body" | "other", LevelStyles>> | undefined;
}

const LEVEL_COUNT = 9;

/** The style in an `a:pPr` or `a:lvl1pPr`. */
export function readLevelStyle(properties: XmlElement | undefined): LevelStyle {
  const style: LevelStyle = {};
  const character = childOf(properties, "buChar")?.attributes.char;
  const count = childOf(properties, "buAutoNum")?.attributes;
  const font = childOf(properties, "buFont")?.attributes.typeface ?? "";
  if (childOf(properties, "buNone") !== undefined) style.bullet = { kind: "none" };
  else if (character !== undefined) style.bullet = { kind: "sign", text: bulletOf(character, font).trim() };
  else if (childOf(properties, "buBlip") !== undefined) style.bullet = { kind: "sign", text: "•" };
  else if (count !== undefined) {
    style.bullet = {
      kind: "count",
      scheme: count.type ?? "arabicPeriod",
      start: integerOf(count.startAt, 1, 32_767) ?? 1,
    };
  }
  const run = childOf(properties, "defRPr");
  const size = typeSizeOf(run);
  if (size !== undefined) style.size = size;
  if (run?.attributes.b !== undefined) style.bold = isOn(run.attributes.b);
  return style;
}

/** The levels of an `a:lstStyle`, or of a style of the master. */
export function readLevelStyles(style: XmlElement | undefined): LevelStyles {
  const levels = new Map<number, LevelStyle>();
  for (let level = 0; level < LEVEL_COUNT; level += 1) {
    const properties = childOf(style, `lvl${level + 1}pPr`);
    if (properties !== undefined) levels.set(level, readLevelStyle(properties));
  }
  return levels;
}

/** The placeholder of a shape; undefined for a shape without one. */
export function readPlaceholder(shape: XmlElement): Placeholder | undefined {
  for (const child of elementsOf(shape)) {
    if (!child.name.startsWith("nv")) continue;
    const attributes = descendantOf(child, "nvPr", "ph")?.attributes;
    if (attributes !== undefined) return { type: attributes.type ?? "obj", index: attributes.idx };
  }
  return undefined;
}

const SHAPE_NAMES = new Set(["sp", "pic", "graphicFrame"]);

function readTemplates(root: XmlElement): TemplatePart {
  const templates = [...findAll(root, SHAPE_NAMES)].flatMap((shape) => {
    const placeholder = readPlaceholder(shape);
    if (placeholder === undefined) return [];
    const box = readFrame(descendantOf(shape, "spPr", "xfrm"), IDENTITY_TRANSFORM);
    return [{ placeholder, box, levels: readLevelStyles(descendantOf(shape, "txBody", "lstStyle")) }];
  });
  const styles = childOf(root, "txStyles");
  const levelsOf = (name: string): LevelStyles => readLevelStyles(childOf(styles, name));
  return {
    templates,
    styles:
      styles === undefined
        ? undefined
        : { title: levelsOf("titleStyle"), body: levelsOf("bodyStyle"), other: levelsOf("otherStyle") },
  };
}

/** Kinds of placeholders that match each other between a slide, its layout and its master. */
const KIND_BY_TYPE: Readonly<Record<string, string>> = {
  ctrTitle: "title",
  subTitle: "body",
  obj: "body",
  chart: "body",
  tbl: "body",
  clipArt: "body",
  dgm: "body",
  media: "body",
  pic: "body",
};

const placeholderKind = (type: string): string => KIND_BY_TYPE[type] ?? type;

/** Layouts and masters of a presentation, each read once. */
export class PlaceholderTemplates {
  readonly #office: OfficePackage;
  readonly #budget: XmlBudget;
  readonly #sheets = new Map<string, { sheet: TemplatePart; master: string | undefined }>();

  constructor(office: OfficePackage, budget: XmlBudget) {
    this.#office = office;
    this.#budget = budget;
  }

  #read(name: string): { sheet: TemplatePart; master: string | undefined } | undefined {
    const known = this.#sheets.get(name);
    if (known !== undefined) return known;
    const part = this.#office.read(name);
    if (part === undefined) return undefined;
    const master = relatedPart(readRelationships(this.#office, name, this.#budget), "slideMaster");
    const read = { sheet: readTemplates(parseXml(part, this.#budget)), master };
    this.#sheets.set(name, read);
    return read;
  }

  /**
   * Finds inherited properties, the nearest source first, level by level.
   * @param layout name of the slide's layout part
   * @param placeholder absent for a shape without one, which inherits nothing
   */
  inherit(
    layout: string | undefined,
    placeholder: Placeholder | undefined,
  ): { box: Box | undefined; levels: LevelStyles[] } {
    const slideLayout = layout === undefined ? undefined : this.#read(layout);
    const slideMaster = slideLayout?.master === undefined ? undefined : this.#read(slideLayout.master);
    const styles = slideMaster?.sheet.styles;
    if (placeholder === undefined) return { box: undefined, levels: [] };
    const { type, index } = placeholder;
    const kind = placeholderKind(type);
    const layoutTemplate =
      slideLayout?.sheet.templates.find((one) => index !== undefined && one.placeholder.index === index) ??
      slideLayout?.sheet.templates.find((one) => placeholderKind(one.placeholder.type) === kind);
    const masterTemplate = slideMaster?.sheet.templates.find((one) => placeholderKind(one.placeholder.type) === kind);
    const style = kind === "title" ? styles?.title : kind === "body" ? styles?.body : styles?.other;
    return {
      box: layoutTemplate?.box ?? masterTemplate?.box,
      levels: [layoutTemplate?.levels, masterTemplate?.levels, style].filter((levels) => levels !== undefined),
    };
  }
}
