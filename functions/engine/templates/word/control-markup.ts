/** Markup of content controls with a value in them. */
import { type Control, isMultiline } from "./controls.ts";
import { firstLook, runMarkup, withoutProperty, withProperties } from "./run-markup.ts";
import {
  attributeOf,
  childOf,
  descendants,
  elementsIn,
  endTag,
  escapeXml,
  startTag,
  withAttribute,
  writeXml,
  type XmlElement,
  type XmlNode,
} from "./word-xml.ts";

/** Markup that takes the place of an element's own. */
export type Replaced = ReadonlyMap<XmlNode, string>;

/** Writes an element with some of the elements in it replaced. */
export function writeReplaced(node: XmlNode, replaced: Replaced): string {
  const own = replaced.get(node);
  if (own !== undefined) return own;
  return typeof node === "string"
    ? node
    : writeXml(node, node.children.map((child) => writeReplaced(child, replaced)).join(""));
}

/** A control's properties as they are beside a value: nothing restores another text, and none asks for a value. */
function propertiesMarkup({ properties }: Control, isBound: boolean, changed: Replaced): string {
  const kept = properties.children.filter((child) => {
    if (typeof child === "string") return true;
    return child.name !== "w:showingPlcHdr" && (isBound || !child.name.endsWith(":dataBinding"));
  });
  return writeXml(properties, kept.map((child) => writeReplaced(child, changed)).join(""));
}

/** The look of a control's text: that of its properties where the text only asked for a value. */
function lookOf({ properties, content, isPlaceholder }: Control): string {
  const stated = childOf(properties, "w:rPr");
  const own = firstLook(content);
  if (!isPlaceholder && own !== "") return own;
  return stated === undefined ? withoutProperty(own, "w:rStyle") : writeXml(stated);
}

const firstIn = (element: XmlElement, name: string): XmlElement | undefined => {
  for (const one of descendants(element)) if (one.name === name) return one;
  return undefined;
};

function paragraphMarkup(paragraph: XmlElement | undefined, runs: string): string {
  if (paragraph === undefined) return `<w:p>${runs}</w:p>`;
  const properties = childOf(paragraph, "w:pPr");
  return `${startTag(paragraph)}${properties === undefined ? "" : writeXml(properties)}${runs}${endTag(paragraph)}`;
}

/** Elements around a control with paragraphs in it. */
const BLOCK_PARENTS = /^w:(?:body|tc|hdr|ftr|footnote|endnote|comment|txbxContent)$/u;

/** A control's content with runs in the place of its own: one paragraph, in the cell or row that it has. */
function contentMarkup({ content, element }: Control, runs: string): string {
  const paragraph = firstIn(content, "w:p");
  const first = [...elementsIn(content)].find(({ name }) => /^w:(?:tc|tr|p|tbl|r)$/u.test(name));
  if (first?.name === "w:tr") {
    return writeReplaced(
      content,
      new Map(paragraph === undefined ? [] : [[paragraph, paragraphMarkup(paragraph, runs)]]),
    );
  }
  const isBlock = first === undefined ? BLOCK_PARENTS.test(element.parent?.name ?? "") : first.name !== "w:r";
  let inner = isBlock ? paragraphMarkup(paragraph, runs) : runs;
  if (first?.name === "w:tc") {
    const cell = childOf(first, "w:tcPr");
    inner = `${startTag(first)}${cell === undefined ? "" : writeXml(cell)}${inner}${endTag(first)}`;
  }
  return writeXml(content, inner);
}

/** A control around content; what is beside the two stays. */
function controlMarkup(control: Control, content: string, isBound: boolean, changed: Replaced = new Map()): string {
  const { element, properties } = control;
  return writeReplaced(
    element,
    new Map([
      [properties, propertiesMarkup(control, isBound, changed)],
      [control.content, content],
    ]),
  );
}

/** A control that showed its request for a value, and shows nothing. */
export const emptiedControl = (control: Control): string =>
  control.kind === "picture" || control.kind === "checkbox"
    ? writeXml(control.element)
    : controlMarkup(control, contentMarkup(control, ""), true);

/** A control with a text; line breaks stay where it has several lines. @param changed markup of properties that follow from the value */
export function textControl(control: Control, text: string, isBound: boolean, changed?: Replaced): string {
  const shown = isMultiline(control) ? text : text.replaceAll(/\s*[\r\n\u0085\u2028\u2029]+\s*/gu, " ");
  return controlMarkup(control, contentMarkup(control, runMarkup(shown, lookOf(control))), isBound, changed);
}

/** Fonts whose signs are not letters: a sign of theirs has its own element. */
const SYMBOL_FONT = /^(?:wingdings|webdings|symbol)/iu;
/** Signs of boxes where the template states none, as Word does. */
const DEFAULT_SIGNS = { checked: "2612", unchecked: "2610" } as const;
const DEFAULT_FONT = "MS Gothic";

/** A checkbox's content: the sign of its state. */
export function checkboxControl(control: Control, isOn: boolean, isBound: boolean): string {
  const box = childOf(control.properties, "w14:checkbox");
  const state = childOf(box, isOn ? "w14:checkedState" : "w14:uncheckedState");
  const stated = attributeOf(state, "w14:val") ?? "";
  const code = /^[0-9a-f]{1,5}$/iu.test(stated) ? stated : DEFAULT_SIGNS[isOn ? "checked" : "unchecked"];
  const font = escapeXml(attributeOf(state, "w14:font") ?? DEFAULT_FONT);
  const look = lookOf(control);
  let run: string;
  if (SYMBOL_FONT.test(font)) {
    run = `<w:r>${look}<w:sym w:font="${font}" w:char="F0${code.slice(-2).padStart(2, "0").toUpperCase()}"/></w:r>`;
  } else {
    const fonts = `<w:rFonts w:ascii="${font}" w:eastAsia="${font}" w:hAnsi="${font}" w:hint="eastAsia"/>`;
    run = runMarkup(String.fromCodePoint(Number.parseInt(code, 16)), withProperties(look, [fonts]));
  }
  const changed = new Map<XmlNode, string>();
  if (box !== undefined) changed.set(box, checkedMarkup(box, isOn));
  return controlMarkup(control, contentMarkup(control, run), isBound, changed);
}

function checkedMarkup(box: XmlElement, isOn: boolean): string {
  const prefix = /^<([^\s:/>]+):/u.exec(box.open)?.[1] ?? "w14";
  const checked = `<${prefix}:checked ${prefix}:val="${isOn ? 1 : 0}"/>`;
  const stated = childOf(box, "w14:checked");
  if (stated !== undefined) return writeReplaced(box, new Map([[stated, checked]]));
  return writeXml(box, `${checked}${box.children.map((child) => writeXml(child)).join("")}`);
}

/** The properties of a list with the value that was chosen last. */
export function chosenMarkup({ properties }: Control, value: string): Map<XmlNode, string> {
  const list = childOf(properties, "w:dropDownList") ?? childOf(properties, "w:comboBox");
  if (list === undefined) return new Map();
  const content = list.children.map((child) => writeXml(child)).join("");
  return new Map([[list, writeXml({ ...list, open: withAttribute(list, "w:lastValue", value) }, content)]]);
}

/** The properties of a date with its day, or without one where the value is no date. */
export function datedMarkup({ properties }: Control, day: string | undefined): Map<XmlNode, string> {
  const date = childOf(properties, "w:date");
  if (date === undefined) return new Map();
  const content = date.children.map((child) => writeXml(child)).join("");
  const open =
    day === undefined
      ? date.open.replace(/\s[\w.-]+:fullDate\s*=\s*(?:"[^"]*"|'[^']*')/u, "")
      : withAttribute(date, "w:fullDate", `${day}Z`);
  return new Map([[date, writeXml({ ...date, open }, content)]]);
}

/** A control around a picture's markup in the place of its own. */
export const pictureControl = (control: Control, content: string): string => controlMarkup(control, content, false);
export const contentWithRuns = contentMarkup;
