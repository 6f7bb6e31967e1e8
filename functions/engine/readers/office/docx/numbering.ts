/** Lists of Word (ECMA-376 part 1, 17.9): markers of paragraphs, counted in document order. */

import { formatCount } from "../number-formats.ts";
import { bulletOf } from "../symbol-fonts.ts";
import { childOf, descendantOf, elementsOf, flagOf, integerOf, type XmlElement } from "../xml-parts.ts";

interface ListLevel {
  start: number;
  format: string;
  /** `%1.%2` with the text around it. */
  text: string;
  /** Shows numbers of the levels above in digits. */
  legal: boolean;
  /** Restarts after a level below this one, from 1; 0: never; undefined: after any level above. */
  restart: number | undefined;
  /** The paragraph style linked to this level. */
  style: string | undefined;
  font: string;
}

type ListLevels = ReadonlyMap<number, ListLevel>;

interface NumberedList {
  abstractId: string;
  levels: ListLevels;
  /** First numbers of levels, where this list overrides them. */
  starts: ReadonlyMap<number, number>;
}

export interface ListReference {
  listId: string;
  /** From 0; undefined: the level linked to the paragraph's style. */
  level: number | undefined;
}

const LEVEL_COUNT = 9;
const MAX_START = 32_767;
/** Longer level texts are no markers. */
const MAX_LEVEL_TEXT_CHARACTERS = 64;

const settingOf = (element: XmlElement | undefined, name: string): string | undefined =>
  childOf(element, name)?.attributes.val;

function readLevel(element: XmlElement): ListLevel {
  const fonts = descendantOf(element, "rPr", "rFonts")?.attributes ?? {};
  return {
    start: integerOf(settingOf(element, "start"), 0, MAX_START) ?? 0,
    format: childOf(element, "lvlPicBulletId") ? "bullet" : (settingOf(element, "numFmt") ?? "decimal"),
    text: childOf(element, "lvlPicBulletId")
      ? "•"
      : (settingOf(element, "lvlText") ?? "").slice(0, MAX_LEVEL_TEXT_CHARACTERS),
    legal: flagOf(childOf(element, "isLgl")) ?? false,
    restart: integerOf(settingOf(element, "lvlRestart"), 0, LEVEL_COUNT),
    style: settingOf(element, "pStyle"),
    font: fonts.ascii ?? fonts.hAnsi ?? "",
  };
}

function readLevels(element: XmlElement): Map<number, ListLevel> {
  const levels = new Map<number, ListLevel>();
  for (const child of elementsOf(element)) {
    const at = integerOf(child.attributes.ilvl, 0, LEVEL_COUNT - 1);
    if (child.name === "lvl" && at !== undefined) levels.set(at, readLevel(child));
  }
  return levels;
}

/** The definitions of a numbering part, and the current count of each list. */
export class Numbering {
  readonly #abstract = new Map<string, ListLevels>();
  readonly #lists = new Map<string, NumberedList>();
  /** Counts by abstract list: lists of one definition continue each other. */
  readonly #counts = new Map<string, (number | undefined)[]>();
  /** Levels whose start override has been used. */
  readonly #used = new Set<string>();

  constructor(root: XmlElement | undefined) {
    if (root === undefined) return;
    const links = new Map<string, string>();
    const byStyle = new Map<string, ListLevels>();
    for (const element of elementsOf(root)) {
      const id = element.attributes.abstractNumId;
      if (element.name !== "abstractNum" || id === undefined) continue;
      const levels = readLevels(element);
      this.#abstract.set(id, levels);
      const [defines, uses] = [settingOf(element, "styleLink"), settingOf(element, "numStyleLink")];
      if (defines !== undefined) byStyle.set(defines, levels);
      if (uses !== undefined) links.set(id, uses);
    }
    for (const [id, style] of links) this.#abstract.set(id, byStyle.get(style) ?? new Map());
    for (const element of elementsOf(root)) if (element.name === "num") this.#addList(element);
  }

  #addList(element: XmlElement): void {
    const abstractId = settingOf(element, "abstractNumId") ?? "";
    const levels = new Map(this.#abstract.get(abstractId));
    const starts = new Map<number, number>();
    for (const child of elementsOf(element)) {
      const at = integerOf(child.attributes.ilvl, 0, LEVEL_COUNT - 1);
      if (child.name !== "lvlOverride" || at === undefined) continue;
      const own = childOf(child, "lvl");
      if (own !== undefined) levels.set(at, readLevel(own));
      const start = integerOf(settingOf(child, "startOverride"), 0, MAX_START);
      if (start !== undefined) starts.set(at, start);
    }
    this.#lists.set(element.attributes.numId ?? "", { abstractId, levels, starts });
  }

  /**
   * Counts a paragraph.
   * @param styleId its style, which may be linked to a level of the list
   * @returns its nesting, from 1, and its marker, empty where the list has none; undefined when it is in no list
   */
  next({ listId, level }: ListReference, styleId: string | undefined): { level: number; marker: string } | undefined {
    const list = this.#lists.get(listId);
    if (list === undefined) return undefined;
    const styled = styleId === undefined ? undefined : [...list.levels].find(([, { style }]) => style === styleId)?.[0];
    const at = Math.min(level ?? styled ?? 0, LEVEL_COUNT - 1);
    const own = list.levels.get(at);
    if (own === undefined) return undefined;
    if (own.format === "bullet") return { level: at + 1, marker: bulletOf(own.text, own.font).trim() };
    const counts = this.#count(listId, list, at, own);
    const marker = own.text.replace(/%([1-9])/g, (_, digit: string) => {
      const place = Number(digit) - 1;
      const format = list.levels.get(place)?.format ?? "decimal";
      return formatCount(counts[place] ?? 0, own.legal && place < at && format !== "none" ? "decimal" : format);
    });
    return { level: at + 1, marker: own.format === "none" && !/\w/.test(marker) ? "" : marker.trim() };
  }

  #count(
    listId: string,
    { abstractId, levels, starts }: NumberedList,
    at: number,
    own: ListLevel,
  ): (number | undefined)[] {
    const counts = this.#counts.get(abstractId) ?? [];
    this.#counts.set(abstractId, counts);
    const startOf = (level: number): number => starts.get(level) ?? levels.get(level)?.start ?? 1;
    // A level above that has not occurred yet counts as begun.
    for (let above = 0; above < at; above += 1) counts[above] ??= startOf(above);
    const use = `${listId}/${at}`;
    const begins = starts.has(at) && !this.#used.has(use);
    this.#used.add(use);
    const before = counts[at];
    counts[at] = begins || before === undefined ? (starts.get(at) ?? own.start) : before + 1;
    for (let below = at + 1; below < LEVEL_COUNT; below += 1) {
      const restart = levels.get(below)?.restart;
      if (restart === undefined || at < restart) counts[below] = undefined;
    }
    return counts;
  }
}
