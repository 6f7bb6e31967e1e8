/** Fields of Word (ECMA-376 part 1, 17.16): their results are read, their instructions are not. */
import { checkboxCharacter } from "../../../layout/checkbox-characters.ts";
import { safeLink } from "../relationships.ts";
import { childOf, elementsOf, flagOf, integerOf, type XmlElement } from "../xml-parts.ts";

interface OpenField {
  /** False while the field's instruction is read, true from its `separate` on, where its result stands. */
  showsResult: boolean;
  instruction: string;
  link: string | undefined;
}

/** Limit for nested fields. */
const MAX_FIELD_DEPTH = 50;
/** Limit for an instruction: enough for the address of a link. */
const MAX_INSTRUCTION_CHARACTERS = 4_096;

/** Open fields of one story; a field may begin in one paragraph and end in another. */
export class FieldStack {
  #open: OpenField[] = [];

  /** True unless the text stands in a field's instruction. */
  get isTextShown(): boolean {
    return this.#open.every((field) => field.showsResult);
  }

  /** Target of the innermost link field. */
  get link(): string | undefined {
    return this.#open.findLast((field) => field.link !== undefined)?.link;
  }

  addInstruction(text: string): void {
    const field = this.#open.at(-1);
    if (field !== undefined && !field.showsResult && field.instruction.length < MAX_INSTRUCTION_CHARACTERS)
      field.instruction += text;
  }

  /** Handles a field character. @returns the text of a legacy form field that has no text of its own */
  handleFieldCharacter(element: XmlElement): string {
    switch (element.attributes.fldCharType) {
      case "begin":
        if (this.#open.length < MAX_FIELD_DEPTH)
          this.#open.push({ showsResult: false, instruction: "", link: undefined });
        return formFieldText(childOf(element, "ffData"));
      case "separate": {
        const field = this.#open.at(-1);
        if (field === undefined) return "";
        field.showsResult = true;
        field.link = safeLink(/^\s*HYPERLINK\s+"([^"]+)"/i.exec(field.instruction)?.[1]);
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

/** Text of a checkbox or drop-down, which Word draws from the field's data; a text field has a result instead. */
function formFieldText(data: XmlElement | undefined): string {
  const box = childOf(data, "checkBox");
  if (box !== undefined)
    return checkboxCharacter(flagOf(childOf(box, "checked")) ?? flagOf(childOf(box, "default")) ?? false);
  const choice = childOf(data, "ddList");
  if (choice === undefined) return "";
  const entries = [...elementsOf(choice)].filter((child) => child.name === "listEntry");
  const value = childOf(choice, "result") ?? childOf(choice, "default");
  return entries[integerOf(value?.attributes.val) ?? 0]?.attributes.val ?? "";
}
