/** Fields of Word (ECMA-376 part 1, 17.16): what they show is read, what they compute it from is not. */
import { linkOf } from "../relationships.ts";
import { childOf, elementsOf, flagOf, integerOf, type XmlElement } from "../xml-parts.ts";

interface Field {
  /** Until its `separate` the field's instruction is read, behind it what it shows. */
  shows: boolean;
  instruction: string;
  link: string | undefined;
}

/** Fields within each other. */
const DEEPEST = 50;
/** Of an instruction: enough for the address of a link. */
const LONGEST_INSTRUCTION = 4_096;

/** Fields may begin in one paragraph and end in another: one state for each story. */
export class Fields {
  #open: Field[] = [];

  /** Whether text here is shown: it stands in no field's instruction. */
  get shows(): boolean {
    return this.#open.every((field) => field.shows);
  }

  /** Where the innermost link field leads. */
  get link(): string | undefined {
    return this.#open.findLast((field) => field.link !== undefined)?.link;
  }

  addInstruction(text: string): void {
    const field = this.#open.at(-1);
    if (field !== undefined && !field.shows && field.instruction.length < LONGEST_INSTRUCTION)
      field.instruction += text;
  }

  /** @returns what a legacy form field shows that has no text of its own */
  mark(element: XmlElement): string {
    switch (element.attributes.fldCharType) {
      case "begin":
        if (this.#open.length < DEEPEST) this.#open.push({ shows: false, instruction: "", link: undefined });
        return formFieldText(childOf(element, "ffData"));
      case "separate": {
        const field = this.#open.at(-1);
        if (field === undefined) return "";
        field.shows = true;
        field.link = linkOf(/^\s*HYPERLINK\s+"([^"]+)"/i.exec(field.instruction)?.[1]);
        return "";
      }
      case "end":
        this.#open.pop();
        return "";
      default:
        return "";
    }
  }
}

/** Check boxes and choices are drawn by Word from the field's data; a text field has a result. */
function formFieldText(data: XmlElement | undefined): string {
  const box = childOf(data, "checkBox");
  if (box !== undefined) return (flagOf(childOf(box, "checked")) ?? flagOf(childOf(box, "default"))) ? "☒" : "☐";
  const choice = childOf(data, "ddList");
  if (choice === undefined) return "";
  const entries = [...elementsOf(choice)].filter((child) => child.name === "listEntry");
  const value = childOf(choice, "result") ?? childOf(choice, "default");
  return entries[integerOf(value?.attributes.val) ?? 0]?.attributes.val ?? "";
}
