/**
 * Styles of Word (ECMA-376 part 1, 17.7): the properties that a paragraph or run takes from its style and that style's
 * bases.
 */
import { wordsOf } from "../../../values/vocabulary/languages.ts";
import { anyOf } from "../../../values/vocabulary/word-patterns.ts";
import { childOf, descendantOf, elementsOf, flagOf, integerOf, type XmlElement } from "../xml-parts.ts";
import type { ListReference } from "./numbering.ts";

/** Character formatting of a run. */
export interface RunStyle {
  bold?: boolean;
  hidden?: boolean;
}

interface StyleDefinition extends RunStyle {
  name: string;
  basedOn: string | undefined;
  /** Outline level from 0; 9 is body text. */
  outline?: number;
  list?: Partial<ListReference>;
  breaksBefore?: boolean;
}

/** Limit of styles based on each other; more are a loop. */
const MAX_STYLE_CHAIN = 30;
const MAX_HEADING_LEVEL = 6;
const MAX_OUTLINE_LEVEL = 8;

/** The formatting stated in an `rPr`. */
export function readRunStyle(properties: XmlElement | undefined): RunStyle {
  const style: RunStyle = {};
  const bold = flagOf(childOf(properties, "b"));
  const hidden = flagOf(childOf(properties, "vanish"));
  if (bold !== undefined) style.bold = bold;
  if (hidden !== undefined) style.hidden = hidden;
  return style;
}

/** The list reference stated in a `pPr`. */
export function readListReference(properties: XmlElement | undefined): Partial<ListReference> | undefined {
  const element = childOf(properties, "numPr");
  if (element === undefined) return undefined;
  const listId = childOf(element, "numId")?.attributes.val;
  const level = integerOf(childOf(element, "ilvl")?.attributes.val, 0, MAX_OUTLINE_LEVEL);
  return { ...(listId === undefined ? {} : { listId }), ...(level === undefined ? {} : { level }) };
}

export const readOutline = (properties: XmlElement | undefined): number | undefined =>
  integerOf(childOf(properties, "outlineLvl")?.attributes.val, 0, MAX_OUTLINE_LEVEL + 1);

function readStyle(element: XmlElement): StyleDefinition {
  const properties = childOf(element, "pPr");
  const outline = readOutline(properties);
  const list = readListReference(properties);
  const breaksBefore = flagOf(childOf(properties, "pageBreakBefore"));
  return {
    name: childOf(element, "name")?.attributes.val ?? "",
    basedOn: childOf(element, "basedOn")?.attributes.val,
    ...readRunStyle(childOf(element, "rPr")),
    ...(outline === undefined ? {} : { outline }),
    ...(list === undefined ? {} : { list }),
    ...(breaksBefore === undefined ? {} : { breaksBefore }),
  };
}

/** Word keeps English names of its built-in styles in every language; other programs translate them. */
const HEADING_NAME = new RegExp(`^(?:${anyOf(wordsOf(({ layout }) => layout.headingStyles))})\\s*([1-9])$`, "i");

export type ParagraphRole = "title" | "subtitle" | "caption" | "list" | undefined;

const ROLE_BY_STYLE_NAME: readonly [RegExp, ParagraphRole][] = [
  [/^title$/i, "title"],
  [/^subtitle$/i, "subtitle"],
  [/^caption$/i, "caption"],
  [/^list (?:bullet|number)(?: \d)?$/i, "list"],
];

/** The styles of a document by their ids. */
export class WordStyles {
  readonly #styles = new Map<string, StyleDefinition>();
  readonly #chains = new Map<string, readonly StyleDefinition[]>();
  #defaultParagraph: string | undefined;
  #defaults: RunStyle = {};

  constructor(root: XmlElement | undefined) {
    if (root === undefined) return;
    this.#defaults = readRunStyle(descendantOf(root, "docDefaults", "rPrDefault", "rPr"));
    for (const element of elementsOf(root)) {
      const { styleId, type, default: isDefault } = element.attributes;
      if (element.name !== "style" || styleId === undefined) continue;
      this.#styles.set(styleId, readStyle(element));
      if (type === "paragraph" && (isDefault === "1" || isDefault === "true")) this.#defaultParagraph = styleId;
    }
  }

  /** A style and the styles that it is based on, itself first. */
  #chain(styleId: string | undefined): readonly StyleDefinition[] {
    const id = styleId ?? this.#defaultParagraph;
    if (id === undefined) return [];
    const known = this.#chains.get(id);
    if (known !== undefined) return known;
    const chain: StyleDefinition[] = [];
    for (let at: string | undefined = id; at !== undefined && chain.length < MAX_STYLE_CHAIN; ) {
      const style: StyleDefinition | undefined = this.#styles.get(at);
      if (style === undefined) break;
      chain.push(style);
      at = style.basedOn;
    }
    this.#chains.set(id, chain);
    return chain;
  }

  /** The first value that a style of the chain states. */
  #find<Found>(styleId: string | undefined, read: (style: StyleDefinition) => Found | undefined): Found | undefined {
    for (const style of this.#chain(styleId)) {
      const found = read(style);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Formatting of the runs of a paragraph or character style. @param styleId absent: the default paragraph's */
  runStyle(styleId: string | undefined): RunStyle {
    const bold = this.#find(styleId, (style) => style.bold) ?? this.#defaults.bold;
    const hidden = this.#find(styleId, (style) => style.hidden) ?? this.#defaults.hidden;
    return { ...(bold === undefined ? {} : { bold }), ...(hidden === undefined ? {} : { hidden }) };
  }

  /** Formatting that a character style adds, without the defaults. */
  characterStyle(styleId: string): RunStyle {
    const bold = this.#find(styleId, (style) => style.bold);
    const hidden = this.#find(styleId, (style) => style.hidden);
    return { ...(bold === undefined ? {} : { bold }), ...(hidden === undefined ? {} : { hidden }) };
  }

  /** The level of a heading, 1 to 6; undefined for other paragraphs. @param own the paragraph's own outline level */
  headingLevel(styleId: string | undefined, own: number | undefined): number | undefined {
    const outline = own ?? this.#find(styleId, (style) => style.outline ?? outlineLevelOfName(style.name));
    if (outline !== undefined)
      return outline > MAX_OUTLINE_LEVEL ? undefined : Math.min(outline + 1, MAX_HEADING_LEVEL);
    const role = this.role(styleId);
    if (role === "title") return 1;
    return role === "subtitle" ? 2 : (outlineLevelOfName(styleId ?? "") ?? -1) + 1 || undefined;
  }

  role(styleId: string | undefined): ParagraphRole {
    return this.#find(styleId, ({ name }) => ROLE_BY_STYLE_NAME.find(([pattern]) => pattern.test(name))?.[1]);
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

/** The outline level, from 0, that a style's name states. */
function outlineLevelOfName(name: string): number | undefined {
  const digit = HEADING_NAME.exec(name)?.[1];
  return digit === undefined ? undefined : Math.min(Number(digit), MAX_HEADING_LEVEL) - 1;
}
