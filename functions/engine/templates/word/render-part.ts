/** Fills the program of a Word part with values. */
import { isObject, type Json } from "../../../ports/json.ts";
import { badValue, textValue } from "../field-values.ts";
import type { RenderedItems } from "../office/rendered-items.ts";
import { innerScope, lookUp, sectionScopes, type TagScope } from "../office/tag-expression.ts";
import { fieldName } from "../office/tag-fields.ts";
import { applyFilters } from "../office/tag-formats.ts";
import type { TemplatePicture } from "../office/template-picture.ts";
import { isImageReference } from "../template.ts";
import type { Control } from "./controls.ts";
import { fillControl } from "./fill-control.ts";
import { emptyField, fillField } from "./fill-field.ts";
import { filledPictureControl, pictureRun } from "./picture-markup.ts";
import { type RichTextParts, richParagraphs, richRuns } from "./rich-text.ts";
import { runMarkup } from "./run-markup.ts";
import type { ControlStep, HolderStep, Program, RepeatingStep, SectionStep, Step, ValueStep } from "./word-program.ts";
import { RICH_TEXT_FILTER } from "./word-tags.ts";

/** What a part takes from the fill of the whole file. */
export interface PartFill extends RichTextParts {
  budget: RenderedItems;
  /** @throws BadRequest for a value that is no picture of the request */
  picture(field: string, value: Json): TemplatePicture;
  /** @returns id of the relationship to a picture */
  relate(picture: TemplatePicture): string;
  /** Writes a control's text to the data that it shows. @returns false where it shows none */
  bind(control: Control, stored: string): boolean;
  /** The value of the data that a control shows, where another control gives it one. */
  boundValue(control: Control): Json | undefined;
}

/** Numbers of drawings begin above those of real documents. */
const FIRST_DRAWING = 10_001;
/** Word's limit for columns of a table. */
const MAX_COLUMNS = 63;

export class PartRenderer {
  private readonly fill: PartFill;
  private drawings = FIRST_DRAWING;
  /** Items of the sections of columns that are open, the innermost last. */
  private readonly copies: number[] = [];
  /** Sections with several items that are open. */
  private repeatingDepth = 0;

  constructor(fill: PartFill) {
    this.fill = fill;
  }

  render(program: Program, scope: TagScope): string {
    return program.map((one) => (typeof one === "string" ? one : this.step(one, scope))).join("");
  }

  private step(step: Step, scope: TagScope): string {
    switch (step.step) {
      case "section":
        return this.section(step, scope);
      case "value":
        return this.value(step, scope);
      case "holder":
        return this.holder(step, scope);
      case "control":
        return this.control(step, scope);
      case "repeating":
        return this.repeating(step, scope);
      case "field": {
        const value = lookUp(scope, step.field.name.split("."));
        if (value === undefined) return emptyField(step.field);
        this.count(value);
        return fillField(step.field, value);
      }
      case "span": {
        const items = sectionScopes(scope, step.path, false).length;
        return String(Math.max(1, step.span + (items - 1) * step.width));
      }
      default:
        return String(Math.max(1, Math.round(step.width / Math.max(1, this.copies.at(-1) ?? 1))));
    }
  }

  private count(value: Json): void {
    if (typeof value === "string") this.fill.budget.addText(value.length);
  }

  private section({ path, inverted, columns, elements, body }: SectionStep, scope: TagScope): string {
    const scopes = sectionScopes(scope, path, inverted);
    if (columns !== undefined && scopes.length > MAX_COLUMNS) {
      const name = fieldName(path);
      throw badValue(
        name,
        `The field ${name} has ${scopes.length} items, and a table of Word at most ${MAX_COLUMNS} columns`,
      );
    }
    const isRepeated = scopes.length > 1;
    // A condition repeats nothing, but it is in what loops around it repeat.
    if (isRepeated) this.fill.budget.add(scopes.length);
    if (columns !== undefined) this.copies.push(scopes.length);
    if (isRepeated) this.repeatingDepth += 1;
    const rendered = scopes.map((one) => {
      if (this.repeatingDepth > 0) this.fill.budget.addElements(elements);
      return this.render(body, one);
    });
    if (columns !== undefined) this.copies.pop();
    if (isRepeated) this.repeatingDepth -= 1;
    return rendered.join("");
  }

  private value({ isPicture, expression, look, paragraph }: ValueStep, scope: TagScope): string {
    const { path, filters } = expression;
    const name = fieldName(path);
    const value = applyFilters(lookUp(scope, path), filters, name);
    const isRich = filters.some((filter) => filter.name === RICH_TEXT_FILTER);
    const isEmpty = value === undefined || value === null || value === "";
    if (isPicture || (value !== undefined && isImageReference(value)))
      return isEmpty ? "" : this.picture(name, value, paragraph);
    const text = isEmpty ? "" : textValue(name, value);
    this.fill.budget.addText(text.length);
    if (paragraph !== undefined) return richParagraphs(text, paragraph, look, this.fill);
    return isRich ? richRuns(text, look, this.fill) : runMarkup(text, look);
  }

  private picture(name: string, value: Json, paragraph: ValueStep["paragraph"]): string {
    const run = this.pictureRun(name, this.fill.picture(name, value));
    return paragraph === undefined ? run : `${paragraph.open}${paragraph.properties}${run}</w:p>`;
  }

  private pictureRun(name: string, picture: TemplatePicture): string {
    this.drawings += 1;
    return pictureRun(picture, this.fill.relate(picture), this.drawings, name);
  }

  private holder({ kind, open, close, body }: HolderStep, scope: TagScope): string {
    const inner = this.render(body, scope);
    if (kind === "table" && !/<\w+:tr[\s>]/u.test(inner)) return "";
    if (kind === "row" && !/<\w+:tc[\s>]/u.test(inner)) return "";
    // Word does not open a cell or a header that does not end with a paragraph; a control at its end has one.
    const isWhole =
      kind === "table" ||
      kind === "row" ||
      /(?:<\/\w+:(?:p|sdt)>|<\w+:p(?:\s[^>]*)?\/>)\s*$/u.test(inner.slice(-2_000));
    return `${open}${inner}${isWhole ? "" : "<w:p/>"}${close}`;
  }

  private control({ control, shown }: ControlStep, scope: TagScope): string {
    const own = lookUp(scope, control.name.split("."));
    const value = own === undefined && this.repeatingDepth === 0 ? this.fill.boundValue(control) : own;
    if (value === undefined) return shown;
    if (control.kind === "picture") {
      if (value === null || value === "") return shown;
      const picture = this.fill.picture(control.name, value);
      return filledPictureControl(control, picture, this.fill.relate(picture), () =>
        this.pictureRun(control.name, picture),
      );
    }
    this.count(value);
    // Data hold one value, so a control that is repeated shows its own.
    return fillControl(control, value, (stored) => this.repeatingDepth === 0 && this.fill.bind(control, stored));
  }

  private repeating({ control, open, close, items, item, elements }: RepeatingStep, scope: TagScope): string {
    const value = lookUp(scope, control.name.split("."));
    if (value === undefined) return `${open}${this.render(items, scope)}${close}`;
    if (value !== null && !Array.isArray(value) && !isObject(value)) {
      throw badValue(control.name, `The field ${control.name} takes a list of items`);
    }
    const given = value === null ? [] : Array.isArray(value) ? value : [value];
    this.fill.budget.add(given.length);
    this.repeatingDepth += 1;
    // A section without an item cannot be extended in Word, so one without values stays.
    const rendered = (given.length === 0 ? [{}] : given).map((one) => {
      this.fill.budget.addElements(elements);
      return this.render(item, innerScope(one, scope));
    });
    this.repeatingDepth -= 1;
    return `${open}${rendered.join("")}${close}`;
  }
}
