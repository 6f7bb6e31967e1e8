/** Styles of Word (ECMA-376 part 1, 17.7): what a paragraph or run takes from its style and those that it is based on. */
import { childOf, elementsOf, flagOf, integerOf, pathOf, type XmlElement } from "../xml-parts.ts";
import type { ListReference } from "./numbering.ts";

/** Switches of a run. */
export interface RunLooks {
  bold?: boolean;
  hidden?: boolean;
}

interface Style extends RunLooks {
  name: string;
  basedOn: string | undefined;
  /** From 0; 9: body text. */
  outline?: number;
  list?: Partial<ListReference>;
  breaksBefore?: boolean;
}

/** Styles based on each other, one after the other; more are a circle. */
const LONGEST_CHAIN = 30;
const DEEPEST_HEADING = 6;
const DEEPEST_OUTLINE = 8;

/** Own switches of `rPr`. */
export function readRunLooks(properties: XmlElement | undefined): RunLooks {
  const looks: RunLooks = {};
  const bold = flagOf(childOf(properties, "b"));
  const hidden = flagOf(childOf(properties, "vanish"));
  if (bold !== undefined) looks.bold = bold;
  if (hidden !== undefined) looks.hidden = hidden;
  return looks;
}

/** Own list reference of `pPr`. */
export function readListReference(properties: XmlElement | undefined): Partial<ListReference> | undefined {
  const element = childOf(properties, "numPr");
  if (element === undefined) return undefined;
  const listId = childOf(element, "numId")?.attributes.val;
  const level = integerOf(childOf(element, "ilvl")?.attributes.val, 0, DEEPEST_OUTLINE);
  return { ...(listId === undefined ? {} : { listId }), ...(level === undefined ? {} : { level }) };
}

export const readOutline = (properties: XmlElement | undefined): number | undefined =>
  integerOf(childOf(properties, "outlineLvl")?.attributes.val, 0, DEEPEST_OUTLINE + 1);

function readStyle(element: XmlElement): Style {
  const properties = childOf(element, "pPr");
  const outline = readOutline(properties);
  const list = readListReference(properties);
  const breaksBefore = flagOf(childOf(properties, "pageBreakBefore"));
  return {
    name: childOf(element, "name")?.attributes.val ?? "",
    basedOn: childOf(element, "basedOn")?.attributes.val,
    ...readRunLooks(childOf(element, "rPr")),
    ...(outline === undefined ? {} : { outline }),
    ...(list === undefined ? {} : { list }),
    ...(breaksBefore === undefined ? {} : { breaksBefore }),
  };
}

/** Word keeps English names of its own styles in every language; other programs translate them. */
const HEADING_NAME =
  /^(?:heading|überschrift|titre|título|titolo|titulo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|címsor|başlık|заголовок|επικεφαλίδα|标题|標題|見出し|제목)\s*([1-9])$/i;

export type ParagraphRole = "title" | "subtitle" | "caption" | "list" | undefined;

const ROLES: readonly [RegExp, ParagraphRole][] = [
  [/^title$/i, "title"],
  [/^subtitle$/i, "subtitle"],
  [/^caption$/i, "caption"],
  [/^list (?:bullet|number)(?: \d)?$/i, "list"],
];

/** The styles of a document by their ids. */
export class Styles {
  readonly #styles = new Map<string, Style>();
  readonly #chains = new Map<string, readonly Style[]>();
  #defaultParagraph: string | undefined;
  #defaults: RunLooks = {};

  constructor(root: XmlElement | undefined) {
    if (root === undefined) return;
    this.#defaults = readRunLooks(pathOf(root, "docDefaults", "rPrDefault", "rPr"));
    for (const element of elementsOf(root)) {
      const { styleId, type, default: isDefault } = element.attributes;
      if (element.name !== "style" || styleId === undefined) continue;
      this.#styles.set(styleId, readStyle(element));
      if (type === "paragraph" && (isDefault === "1" || isDefault === "true")) this.#defaultParagraph = styleId;
    }
  }

  /** A style and those that it is based on, itself first. */
  #chain(styleId: string | undefined): readonly Style[] {
    const id = styleId ?? this.#defaultParagraph;
    if (id === undefined) return [];
    const known = this.#chains.get(id);
    if (known !== undefined) return known;
    const chain: Style[] = [];
    for (let at: string | undefined = id; at !== undefined && chain.length < LONGEST_CHAIN; ) {
      const style: Style | undefined = this.#styles.get(at);
      if (style === undefined) break;
      chain.push(style);
      at = style.basedOn;
    }
    this.#chains.set(id, chain);
    return chain;
  }

  /** The first style of the chain that says something. */
  #find<Found>(styleId: string | undefined, look: (style: Style) => Found | undefined): Found | undefined {
    for (const style of this.#chain(styleId)) {
      const found = look(style);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** What the runs of a paragraph or of a character style look like. @param styleId absent: the default paragraph's */
  looks(styleId: string | undefined): RunLooks {
    const bold = this.#find(styleId, (style) => style.bold) ?? this.#defaults.bold;
    const hidden = this.#find(styleId, (style) => style.hidden) ?? this.#defaults.hidden;
    return { ...(bold === undefined ? {} : { bold }), ...(hidden === undefined ? {} : { hidden }) };
  }

  /** The looks that a character style brings, without the defaults. */
  characterLooks(styleId: string): RunLooks {
    const bold = this.#find(styleId, (style) => style.bold);
    const hidden = this.#find(styleId, (style) => style.hidden);
    return { ...(bold === undefined ? {} : { bold }), ...(hidden === undefined ? {} : { hidden }) };
  }

  /** The level of a heading, from 1 to 6; undefined for what is none. @param own the paragraph's own outline level */
  headingLevel(styleId: string | undefined, own: number | undefined): number | undefined {
    const outline = own ?? this.#find(styleId, (style) => style.outline ?? levelOfName(style.name));
    if (outline !== undefined) return outline > DEEPEST_OUTLINE ? undefined : Math.min(outline + 1, DEEPEST_HEADING);
    const role = this.role(styleId);
    if (role === "title") return 1;
    return role === "subtitle" ? 2 : (levelOfName(styleId ?? "") ?? -1) + 1 || undefined;
  }

  role(styleId: string | undefined): ParagraphRole {
    return this.#find(styleId, ({ name }) => ROLES.find(([pattern]) => pattern.test(name))?.[1]);
  }

  list(styleId: string | undefined): Partial<ListReference> | undefined {
    const listId = this.#find(styleId, (style) => style.list?.listId);
    const level = this.#find(styleId, (style) => style.list?.level);
    if (listId === undefined) return undefined;
    return { listId, ...(level === undefined ? {} : { level }) };
  }

  breaksBefore(styleId: string | undefined): boolean {
    return this.#find(styleId, (style) => style.breaksBefore) ?? false;
  }
}

/** The outline level, from 0, that a style's name stands for. */
function levelOfName(name: string): number | undefined {
  const digit = HEADING_NAME.exec(name)?.[1];
  return digit === undefined ? undefined : Math.min(Number(digit), DEEPEST_HEADING) - 1;
}
