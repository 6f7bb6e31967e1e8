/** Content controls of Word (ECMA-376 part 1, 17.5.2), and what a template says about each. */
import { attributeOf, childOf, descendants, elementsIn, unescapeXml, type XmlElement } from "./word-xml.ts";

export type ControlKind = "text" | "rich" | "checkbox" | "dropdown" | "combo" | "date" | "picture" | "repeating";

export interface Control {
  kind: ControlKind;
  /** Its tag, else its title, else its number among the template's controls. */
  name: string;
  title: string | undefined;
  element: XmlElement;
  properties: XmlElement;
  content: XmlElement;
  /** The text in it asks for a value, and is none. */
  isPlaceholder: boolean;
}

/** Kinds by the element that states them; a control without one takes rich text. */
const KINDS: ReadonlyMap<string, ControlKind | undefined> = new Map<string, ControlKind | undefined>([
  ["w:text", "text"],
  ["w:richText", "rich"],
  ["w14:checkbox", "checkbox"],
  ["w:dropDownList", "dropdown"],
  ["w:comboBox", "combo"],
  ["w:date", "date"],
  ["w:picture", "picture"],
  ["w15:repeatingSection", "repeating"],
  // These hold other content, and take no value.
  ["w15:repeatingSectionItem", undefined],
  ["w:docPartObj", undefined],
  ["w:docPartList", undefined],
  ["w:group", undefined],
  ["w:bibliography", undefined],
  ["w:citation", undefined],
  ["w:equation", undefined],
]);

function kindOf(properties: XmlElement): ControlKind | undefined {
  for (const { name } of elementsIn(properties)) if (KINDS.has(name)) return KINDS.get(name);
  return "rich";
}

/** Elements inside a rich text that fill in values of their own; it is then their frame, and takes no value. */
const FILLED_INSIDE: ReadonlySet<string> = new Set(["#tag", "#field", "w:sdt"]);

const holdsFields = (content: XmlElement): boolean => {
  for (const { name } of descendants(content)) if (FILLED_INSIDE.has(name)) return true;
  return false;
};

const textIn = (element: XmlElement | undefined, name: string): string | undefined => {
  const value = attributeOf(childOf(element, name), "w:val")?.trim();
  return value === "" ? undefined : value;
};

function readControl(element: XmlElement, number: number): Control | undefined {
  const properties = childOf(element, "w:sdtPr");
  const content = childOf(element, "w:sdtContent");
  if (properties === undefined || content === undefined) return undefined;
  const kind = kindOf(properties);
  if (kind === undefined || (kind !== "repeating" && kind !== "picture" && holdsFields(content))) return undefined;
  const title = textIn(properties, "w:alias");
  const shows = childOf(properties, "w:showingPlcHdr");
  return {
    kind,
    name: textIn(properties, "w:tag") ?? title ?? `control_${number}`,
    title,
    element,
    properties,
    content,
    isPlaceholder: shows !== undefined && !/^(?:0|false|off)$/u.test(attributeOf(shows, "w:val") ?? ""),
  };
}

/** Numbers controls over a whole template; the branches of an AlternateContent repeat each other, and their numbers. */
export class ControlReader {
  private number = 0;

  /** The controls of a part that take values, by their elements. */
  read(root: XmlElement): Map<XmlElement, Control> {
    const controls = new Map<XmlElement, Control>();
    this.visit(root, controls);
    return controls;
  }

  private visit(element: XmlElement, controls: Map<XmlElement, Control>): void {
    if (element.name === "w:sdt") {
      const control = readControl(element, this.number + 1);
      if (control !== undefined) {
        controls.set(element, control);
        this.number += 1;
      }
    }
    const isAlternate = element.name === "mc:AlternateContent";
    const first = this.number;
    let last = first;
    for (const child of elementsIn(element)) {
      if (isAlternate) this.number = first;
      this.visit(child, controls);
      last = Math.max(last, this.number);
    }
    this.number = last;
  }
}

export interface Choice {
  value: string;
  label: string;
}

/** The items of a list; the item without a value asks for a choice. */
export function choicesOf({ properties }: Control): Choice[] {
  const list = childOf(properties, "w:dropDownList") ?? childOf(properties, "w:comboBox");
  return [...elementsIn(list)]
    .filter(({ name }) => name === "w:listItem")
    .map((item) => {
      const value = attributeOf(item, "w:value") ?? "";
      return { value, label: attributeOf(item, "w:displayText") ?? value };
    })
    .filter(({ value }) => value !== "");
}

export const dateFormatOf = ({ properties }: Control): string =>
  textIn(childOf(properties, "w:date"), "w:dateFormat") ?? "yyyy-MM-dd";
export const localeOf = ({ properties }: Control): string => textIn(childOf(properties, "w:date"), "w:lid") ?? "en-US";

export const isMultiline = ({ kind, properties }: Control): boolean =>
  kind === "rich" || /^(?:1|true|on)$/u.test(attributeOf(childOf(properties, "w:text"), "w:multiLine") ?? "");

export const isChecked = ({ properties }: Control): boolean =>
  /^(?:1|true|on)$/u.test(attributeOf(childOf(properties, "w14:checkbox", "w14:checked"), "w14:val") ?? "");

/** The text that a control shows; empty for one that asks for its value. */
export function shownText({ content, isPlaceholder }: Control): string {
  if (isPlaceholder) return "";
  const lines: string[] = [];
  for (const element of descendants(content)) {
    if (element.name === "w:p" && lines.length > 0) lines.push("\n");
    if (element.name === "w:br") lines.push("\n");
    if (element.name !== "w:t") continue;
    lines.push(unescapeXml(element.children.filter((child) => typeof child === "string").join("")));
  }
  return lines.join("").trim();
}
