/** Word's own fields that a template fills: those of legacy forms, and of a mail merge. */
import { datePicture, type FieldPicture, numberPicture } from "./field-pictures.ts";
import {
  attributeOf,
  childOf,
  descendants,
  elementsIn,
  newElement,
  unescapeXml,
  type XmlElement,
  type XmlNode,
} from "./word-xml.ts";

export type WordFieldKind = "formText" | "formCheckbox" | "formDropdown" | "merge";

export interface WordField {
  kind: WordFieldKind;
  name: string;
  /** Takes the place of the field's runs in the tree. */
  element: XmlElement;
  /** The `w:ffData` of a field of a form. */
  data: XmlElement | undefined;
  /** Index of the run that ends its instruction, and of the one that ends the field. */
  separate: number;
  end: number;
  /** Switch of a merge field for its letters, such as `Upper`. */
  letters: string | undefined;
  /** Texts that a merge field shows before and after a value. */
  before: string;
  after: string;
  /** Look of a merge field's date or number. */
  picture: FieldPicture | undefined;
  /** Language of the field's text; undefined for that of the document. */
  language: string | undefined;
}

/** A field that cannot be filled, as its instruction names it. */
export interface FieldFault {
  field: string;
  problem: string;
}

export interface WordFields {
  fields: WordField[];
  faults: FieldFault[];
}

const FORM_KINDS: Readonly<Record<string, WordFieldKind>> = {
  FORMTEXT: "formText",
  FORMCHECKBOX: "formCheckbox",
  FORMDROPDOWN: "formDropdown",
};
/** Rules of a mail merge, which choose records or build texts of their own. */
const MERGE_RULES: ReadonlySet<string> = new Set([
  "NEXT",
  "NEXTIF",
  "SKIPIF",
  "ADDRESSBLOCK",
  "GREETINGLINE",
  "DATABASE",
]);
const LETTERS: ReadonlySet<string> = new Set(["upper", "lower", "caps", "firstcap"]);
/** Switches for the texts around a value. */
const AROUND: ReadonlyMap<string, "before" | "after"> = new Map([
  ["\\b", "before"],
  ["\\f", "after"],
]);
/** Switches that change nothing in a filled text. */
const NEUTRAL: ReadonlySet<string> = new Set(["mergeformat", "charformat"]);
/** Switches for the look of a date and of a number. */
const PICTURES: ReadonlyMap<string, (picture: string) => FieldPicture | undefined> = new Map([
  ["\\@", datePicture],
  ["\\#", numberPicture],
]);
/** Words of an instruction: in quotes, also as Word corrects them; a switch, which may have no space behind it. */
const WORDS = /"([^"]*)"|[“”„]([^"“”„]*)[“”]|(\\[@#*]|[^\s"“”„]+)/gu;

interface Instruction {
  keyword: string;
  name: string;
  letters: string | undefined;
  before: string;
  after: string;
  picture: FieldPicture | undefined;
  /** A switch that is not supported. */
  unsupported: string | undefined;
}

/** Reads an instruction such as `MERGEFIELD "Last name" \* Upper`. */
function readInstruction(text: string): Instruction {
  const words = [...text.matchAll(WORDS)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
  const [keyword = "", name = "", ...switches] = words;
  const none = { letters: undefined, before: "", after: "", picture: undefined, unsupported: undefined };
  const found: Instruction = { ...none, keyword: keyword.toUpperCase(), name };
  for (let at = 0; at < switches.length; at += 1) {
    const word = switches[at] ?? "";
    const argument = switches[at + 1]?.toLowerCase() ?? "";
    const side = AROUND.get(word.toLowerCase());
    if (side !== undefined) {
      found[side] = switches[at + 1] ?? "";
      at += 1;
      continue;
    }
    const picture = found.picture === undefined ? PICTURES.get(word)?.(switches[at + 1] ?? "") : undefined;
    if (picture !== undefined) {
      found.picture = picture;
      at += 1;
      continue;
    }
    if (word === "\\*" && LETTERS.has(argument)) found.letters = argument;
    if (word === "\\*" && (LETTERS.has(argument) || NEUTRAL.has(argument))) at += 1;
    else if (word.startsWith("\\")) found.unsupported ??= `${word} ${switches[at + 1] ?? ""}`.trim();
  }
  return found;
}

/** The first language that runs state. */
function languageOf(element: XmlElement): string | undefined {
  for (const one of descendants(element)) if (one.name === "w:lang") return attributeOf(one, "w:val");
  return undefined;
}

interface OpenField {
  begin: number;
  instruction: string;
  separate: number;
  data: XmlElement | undefined;
}

const isOurs = ({ keyword }: Instruction): boolean => keyword === "MERGEFIELD" || keyword in FORM_KINDS;

const PART_OF_FIELD: ReadonlySet<string> = new Set(["w:fldChar", "w:instrText"]);

/** Runs with one part of a field each, as some writers put several into one. */
function separateRuns(holder: XmlElement): void {
  holder.children = holder.children.flatMap((child): XmlNode[] => {
    if (typeof child === "string" || child.name !== "w:r") return [child];
    const [properties] = child.children.filter((node) => typeof node !== "string" && node.name === "w:rPr");
    const parts = child.children.filter((node) => node !== properties && typeof node !== "string");
    const isMixed = parts.length > 1 && parts.some((node) => PART_OF_FIELD.has((node as XmlElement).name));
    if (!isMixed) return [child];
    return parts.map((node) => {
      const run = newElement("w:r", child.open, properties === undefined ? [node] : [properties, node]);
      run.parent = holder;
      (node as XmlElement).parent = run;
      return run;
    });
  });
}

const HOLDS_FIELD = new Set(["w:fldChar", "w:fldSimple"]);

/** Collects the fields among the children of one element. */
class FieldReader {
  readonly fields: WordField[] = [];
  readonly faults: FieldFault[] = [];
  private readonly open: OpenField[] = [];
  private readonly taken: { begin: number; end: number; element: XmlElement }[] = [];
  private readonly holder: XmlElement;

  constructor(holder: XmlElement) {
    this.holder = holder;
  }

  read(): void {
    for (const [index, child] of this.holder.children.entries()) {
      if (typeof child === "string") continue;
      if (child.name === "w:fldSimple") this.readSimple(index, child);
      if (child.name !== "w:r") continue;
      const sign = childOf(child, "w:fldChar");
      const instruction = childOf(child, "w:instrText");
      const innermost = this.open.at(-1);
      if (instruction !== undefined && innermost !== undefined) {
        innermost.instruction += unescapeXml(instruction.children.join(""));
      }
      if (sign !== undefined) this.readSign(index, sign);
    }
    for (const { instruction } of this.open)
      this.refuseUnless(false, readInstruction(instruction), "spans several paragraphs, which is not supported");
    this.wrap();
  }

  private readSign(index: number, sign: XmlElement): void {
    const type = attributeOf(sign, "w:fldCharType");
    if (type === "begin") {
      this.open.push({ begin: index, instruction: "", separate: -1, data: childOf(sign, "w:ffData") });
    } else if (type === "separate") {
      const innermost = this.open.at(-1);
      if (innermost !== undefined) innermost.separate = index;
    } else if (type === "end") {
      const field = this.open.pop();
      if (field !== undefined) this.close(field, index);
    }
  }

  private readSimple(index: number, element: XmlElement): void {
    const instruction = readInstruction(attributeOf(element, "w:instr") ?? "");
    if (!this.isFillable(instruction)) return;
    const runs = element.children;
    this.take({ begin: index, separate: -1, data: undefined, instruction: "" }, index, instruction, runs);
  }

  private close(field: OpenField, end: number): void {
    const instruction = readInstruction(field.instruction);
    if (this.isFillable(instruction)) {
      this.take(field, end, instruction, this.holder.children.slice(field.begin, end + 1));
    }
  }

  /** Notes why a field that must be filled cannot be. */
  private refuseUnless(fine: boolean, instruction: Instruction, why: string): boolean {
    if (!fine && (isOurs(instruction) || MERGE_RULES.has(instruction.keyword))) {
      this.faults.push({ field: `${instruction.keyword} ${instruction.name}`.trim(), problem: why });
    }
    return fine;
  }

  private isFillable(instruction: Instruction): boolean {
    if (
      !this.refuseUnless(
        !MERGE_RULES.has(instruction.keyword),
        instruction,
        "is a rule of a mail merge, which is not supported",
      )
    )
      return false;
    if (!isOurs(instruction)) return false;
    if (!this.refuseUnless(this.open.length === 0, instruction, "is inside another field, which is not supported"))
      return false;
    if (instruction.keyword !== "MERGEFIELD") return true;
    if (!this.refuseUnless(instruction.name !== "", instruction, "has no name")) return false;
    return this.refuseUnless(
      instruction.unsupported === undefined,
      instruction,
      `has the switch ${instruction.unsupported}, which is not supported; use a tag with a filter`,
    );
  }

  private take(field: OpenField, end: number, instruction: Instruction, nodes: XmlNode[]): void {
    const element = newElement("#field", "", nodes);
    element.parent = this.holder;
    const named = attributeOf(childOf(field.data, "w:name"), "w:val");
    const isMerge = instruction.keyword === "MERGEFIELD";
    this.fields.push({
      kind: FORM_KINDS[instruction.keyword] ?? "merge",
      name: (isMerge ? instruction.name : named) ?? "",
      element,
      data: field.data,
      separate: field.separate < 0 ? -1 : field.separate - field.begin,
      end: end - field.begin,
      letters: instruction.letters,
      before: instruction.before,
      after: instruction.after,
      picture: instruction.picture,
      language: languageOf(element),
    });
    this.taken.push({ begin: field.begin, end, element });
  }

  private wrap(): void {
    for (const { begin, end, element } of this.taken.reverse()) {
      this.holder.children.splice(begin, end - begin + 1, element);
    }
  }
}

/** Puts one element in the place of each field of a paragraph that a template fills. */
export function wrapFields(paragraph: XmlElement): WordFields {
  const found: WordFields = { fields: [], faults: [] };
  const holders = new Set<XmlElement>();
  const isOwn = (element: XmlElement): boolean => element === paragraph || element.name !== "w:p";
  for (const element of descendants(paragraph, isOwn)) {
    if (!HOLDS_FIELD.has(element.name)) continue;
    const holder = element.name === "w:fldSimple" ? element.parent : element.parent?.parent;
    if (holder !== undefined && element !== paragraph) holders.add(holder);
  }
  for (const holder of holders) {
    separateRuns(holder);
    const reader = new FieldReader(holder);
    reader.read();
    found.fields.push(...reader.fields);
    found.faults.push(...reader.faults);
  }
  return found;
}

/** Choices of a dropdown of a legacy form. */
export const choicesOf = (data: XmlElement | undefined): string[] =>
  [...elementsIn(childOf(data, "w:ddList"))]
    .filter(({ name }) => name === "w:listEntry")
    .map((entry) => attributeOf(entry, "w:val") ?? "");
