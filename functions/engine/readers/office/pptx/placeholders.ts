/**
 * What a slide's placeholders take from its layout and its master (ECMA-376 part 1, 19.3.1.36): where they stand, their
 * bullets, the size of their type. The text in layouts and masters is a prompt, and never read.
 */
import type { Box } from "../../../../ports/layout.ts";
import type { OfficePackage } from "../office-package.ts";
import { readRelationships, relatedPart } from "../relationships.ts";
import { sizeOf } from "../shape-text.ts";
import { bulletOf } from "../symbol-fonts.ts";
import {
  childOf,
  elementsOf,
  findAll,
  integerOf,
  isOn,
  parseXml,
  pathOf,
  type XmlBudget,
  type XmlElement,
} from "../xml-parts.ts";
import { ON_SLIDE, readFrame } from "./graphic-frames.ts";

export type Bullet =
  | { kind: "none" }
  | { kind: "sign"; text: string }
  | { kind: "count"; scheme: string; start: number };

/** How a level of paragraphs looks. */
export interface LevelLooks {
  bullet?: Bullet;
  /** Points. */
  size?: number;
  bold?: boolean;
}

export interface Placeholder {
  type: string;
  index: string | undefined;
}

/** Looks by level, from 0. */
type Levels = ReadonlyMap<number, LevelLooks>;

interface Template {
  placeholder: Placeholder;
  box: Box | undefined;
  levels: Levels;
}

/** What a slide layout or master says. */
interface Sheet {
  templates: Template[];
  /** Of the master alone: by the kind of placeholder. */
  styles: Readonly<Record<"title" | "body" | "other", Levels>> | undefined;
}

const LEVELS = 9;

/** Looks of an `a:pPr` or `a:lvl1pPr`. */
export function readLevelLooks(properties: XmlElement | undefined): LevelLooks {
  const looks: LevelLooks = {};
  const character = childOf(properties, "buChar")?.attributes.char;
  const count = childOf(properties, "buAutoNum")?.attributes;
  const font = childOf(properties, "buFont")?.attributes.typeface ?? "";
  if (childOf(properties, "buNone") !== undefined) looks.bullet = { kind: "none" };
  else if (character !== undefined) looks.bullet = { kind: "sign", text: bulletOf(character, font).trim() };
  else if (childOf(properties, "buBlip") !== undefined) looks.bullet = { kind: "sign", text: "•" };
  else if (count !== undefined) {
    looks.bullet = {
      kind: "count",
      scheme: count.type ?? "arabicPeriod",
      start: integerOf(count.startAt, 1, 32_767) ?? 1,
    };
  }
  const run = childOf(properties, "defRPr");
  const size = sizeOf(run);
  if (size !== undefined) looks.size = size;
  if (run?.attributes.b !== undefined) looks.bold = isOn(run.attributes.b);
  return looks;
}

/** Levels of an `a:lstStyle` or of a style of the master. */
export function readLevels(style: XmlElement | undefined): Levels {
  const levels = new Map<number, LevelLooks>();
  for (let level = 0; level < LEVELS; level += 1) {
    const properties = childOf(style, `lvl${level + 1}pPr`);
    if (properties !== undefined) levels.set(level, readLevelLooks(properties));
  }
  return levels;
}

/** The placeholder that a shape is; undefined for a shape of its own. */
export function readPlaceholder(shape: XmlElement): Placeholder | undefined {
  for (const child of elementsOf(shape)) {
    if (!child.name.startsWith("nv")) continue;
    const attributes = pathOf(child, "nvPr", "ph")?.attributes;
    if (attributes !== undefined) return { type: attributes.type ?? "obj", index: attributes.idx };
  }
  return undefined;
}

const SHAPES = new Set(["sp", "pic", "graphicFrame"]);

function readSheet(root: XmlElement): Sheet {
  const templates = [...findAll(root, SHAPES)].flatMap((shape) => {
    const placeholder = readPlaceholder(shape);
    if (placeholder === undefined) return [];
    const box = readFrame(pathOf(shape, "spPr", "xfrm"), ON_SLIDE);
    return [{ placeholder, box, levels: readLevels(pathOf(shape, "txBody", "lstStyle")) }];
  });
  const styles = childOf(root, "txStyles");
  const levelsOf = (name: string): Levels => readLevels(childOf(styles, name));
  return {
    templates,
    styles:
      styles === undefined
        ? undefined
        : { title: levelsOf("titleStyle"), body: levelsOf("bodyStyle"), other: levelsOf("otherStyle") },
  };
}

/** Kinds that stand in for each other between a slide, its layout and its master. */
const KINDS: Readonly<Record<string, string>> = {
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

const kindOf = (type: string): string => KINDS[type] ?? type;

/** Layouts and masters of a presentation, each read once. */
export class Placeholders {
  readonly #office: OfficePackage;
  readonly #budget: XmlBudget;
  readonly #sheets = new Map<string, { sheet: Sheet; master: string | undefined }>();

  constructor(office: OfficePackage, budget: XmlBudget) {
    this.#office = office;
    this.#budget = budget;
  }

  #read(name: string): { sheet: Sheet; master: string | undefined } | undefined {
    const known = this.#sheets.get(name);
    if (known !== undefined) return known;
    const part = this.#office.read(name);
    if (part === undefined) return undefined;
    const master = relatedPart(readRelationships(this.#office, name, this.#budget), "slideMaster");
    const read = { sheet: readSheet(parseXml(part, this.#budget)), master };
    this.#sheets.set(name, read);
    return read;
  }

  /**
   * What a placeholder takes: the nearest place that says something, level by level.
   * @param layout name of the slide's layout part
   * @param placeholder absent: a shape of its own, which takes the looks of other text alone
   */
  inherit(
    layout: string | undefined,
    placeholder: Placeholder | undefined,
  ): { box: Box | undefined; levels: Levels[] } {
    const near = layout === undefined ? undefined : this.#read(layout);
    const far = near?.master === undefined ? undefined : this.#read(near.master);
    const styles = far?.sheet.styles;
    if (placeholder === undefined) return { box: undefined, levels: [] };
    const { type, index } = placeholder;
    const kind = kindOf(type);
    const own =
      near?.sheet.templates.find((one) => index !== undefined && one.placeholder.index === index) ??
      near?.sheet.templates.find((one) => kindOf(one.placeholder.type) === kind);
    const masters = far?.sheet.templates.find((one) => kindOf(one.placeholder.type) === kind);
    const style = kind === "title" ? styles?.title : kind === "body" ? styles?.body : styles?.other;
    return {
      box: own?.box ?? masters?.box,
      levels: [own?.levels, masters?.levels, style].filter((levels) => levels !== undefined),
    };
  }
}
