/** Legacy form fields and merge fields with the values of a request. */
import type { Json } from "../../../ports/json.ts";
import { textValue } from "../field-values.ts";
import { type Replaced, writeReplaced } from "./control-markup.ts";
import { inPicture } from "./field-pictures.ts";
import { booleanValue, choiceIndex } from "./fill-control.ts";
import { choicesOf, type WordField } from "./merge-fields.ts";
import { firstLook, runMarkup } from "./run-markup.ts";
import { attributeOf, childOf, elementsIn, writeXml, type XmlElement, type XmlNode } from "./word-xml.ts";

/** Elements after which a box states its state, and a list its choice (ECMA-376 part 1, 17.16.7 and 17.16.9). */
const BEFORE_CHECKED: ReadonlySet<string> = new Set(["w:size", "w:sizeAuto", "w:default"]);
const NONE: ReadonlySet<string> = new Set();

/** An element with one child set, at the place that the schema gives it. */
function withChild(parent: XmlElement, name: string, value: string, after: ReadonlySet<string>): string {
  const own = `<${name} w:val="${value}"/>`;
  const children = parent.children.filter((child) => typeof child === "string" || child.name !== name);
  const at = children.findLastIndex((child) => typeof child !== "string" && after.has(child.name)) + 1;
  return writeXml(
    parent,
    children
      .map((child) => writeXml(child))
      .toSpliced(at, 0, own)
      .join(""),
  );
}

const wholeField = (field: WordField, replaced: Replaced): string =>
  field.element.children.map((child) => writeReplaced(child, replaced)).join("");

/** The letters of a text as a merge field's switch asks for. */
function withLetters(text: string, letters: string | undefined): string {
  switch (letters) {
    case "upper":
      return text.toLocaleUpperCase();
    case "lower":
      return text.toLocaleLowerCase();
    case "firstcap":
      return text.replace(/\p{L}/u, (letter) => letter.toLocaleUpperCase());
    case "caps":
      return text.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toLocaleUpperCase());
    default:
      return text;
  }
}

/** A value in its look with the texts around it, which an empty one goes without. @throws BadRequest */
function mergeText({ name, letters, before, after, picture, language }: WordField, value: Json): string {
  const text = picture === undefined ? textValue(name, value) : inPicture(picture, language ?? "en", name, value);
  return text === "" ? "" : `${before}${withLetters(text, letters)}${after}`;
}

/** Between its instruction and its end a field shows its text. */
function withResult(field: WordField, runs: string): string {
  const { children } = field.element;
  if (field.separate < 0) {
    // It has no result yet: the sign that begins one is missing, too.
    const start = children.slice(0, -1).map((child) => writeXml(child));
    const separate = '<w:r><w:fldChar w:fldCharType="separate"/></w:r>';
    return [...start, separate, runs, writeXml(children.at(-1) ?? "")].join("");
  }
  const isInside = (index: number): boolean => index > field.separate && index < children.length - 1;
  return children
    .map((child, index) => (isInside(index) ? "" : writeXml(child)))
    .toSpliced(field.separate + 1, 0, runs)
    .join("");
}

/** The look of the text that a field shows, or else of its sign. */
function lookOf({ element, separate }: WordField): string {
  const runs = element.children.slice(separate + 1).filter((child): child is XmlElement => typeof child !== "string");
  const shown = runs.find((run) => [...elementsIn(run)].some(({ name }) => name === "w:t"));
  return firstLook(shown ?? element);
}

function dropdownText(field: WordField, value: Json): { index: number; text: string } | undefined {
  const text = textValue(field.name, value);
  const choices = choicesOf(field.data);
  return text === "" ? undefined : { index: choiceIndex(field.name, text, choices, choices), text };
}

/** A field with a value. @throws BadRequest for a value that it does not take */
export function fillField(field: WordField, value: Json): string {
  const { kind, name, data } = field;
  if (kind === "merge") return runMarkup(mergeText(field, value), lookOf(field));
  if (kind === "formText") return withResult(field, runMarkup(textValue(name, value), lookOf(field)));
  const replaced = new Map<XmlNode, string>();
  const box = childOf(data, "w:checkBox");
  const list = childOf(data, "w:ddList");
  if (kind === "formCheckbox" && box !== undefined) {
    replaced.set(box, withChild(box, "w:checked", booleanValue(name, value) ? "1" : "0", BEFORE_CHECKED));
  }
  const chosen = kind === "formDropdown" ? dropdownText(field, value) : undefined;
  if (chosen !== undefined && list !== undefined)
    replaced.set(list, withChild(list, "w:result", String(chosen.index), NONE));
  return wholeField(field, replaced);
}

/** A field without a value: a merge field shows nothing, and a form's field what the template has in it. */
export const emptyField = (field: WordField): string => (field.kind === "merge" ? "" : wholeField(field, new Map()));

/** The state or text that a form's field has in the template. */
export function shownValue({ kind, data }: WordField): string | null {
  if (kind === "formCheckbox") {
    const box = childOf(data, "w:checkBox");
    const stated = childOf(box, "w:checked") ?? childOf(box, "w:default");
    return stated !== undefined && !/^(?:0|false|off)$/u.test(attributeOf(stated, "w:val") ?? "1") ? "true" : "false";
  }
  if (kind !== "formDropdown") return null;
  const index = attributeOf(childOf(data, "w:ddList", "w:result"), "w:val");
  return index === undefined ? null : (choicesOf(data)[Number(index)] ?? null);
}
