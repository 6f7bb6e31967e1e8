/** A value of its own for each field of a template, so that each can be told in the filled document. */
import type { TemplateField } from "../../functions/engine/templates/template.ts";
import type { Json, JsonObject } from "../../functions/ports/json.ts";

export interface DistinctValues {
  values: JsonObject;
  /** Texts that the filled document shows, each at least once. */
  shown: string[];
}

/** Days of a year from which dates are counted. */
const FIRST_DAY = Date.UTC(2031, 0, 1);
const MS_A_DAY = 86_400_000;

class Values {
  readonly shown: string[] = [];
  private readonly items: number;
  private next = 0;

  constructor(items: number) {
    this.items = items;
  }

  of(fields: readonly TemplateField[]): JsonObject {
    const values: JsonObject = {};
    for (const field of fields) {
      const value = this.valueOf(field);
      if (value !== undefined) Object.defineProperty(values, field.name, { value, enumerable: true });
    }
    return values;
  }

  private valueOf(field: TemplateField): Json | undefined {
    this.next += 1;
    switch (field.type) {
      case "loop": {
        const [only] = field.fields;
        return Array.from({ length: this.items }, () =>
          only?.name === "." && field.fields.length === 1 ? this.text() : this.of(field.fields),
        );
      }
      case "condition":
        return true;
      case "checkbox":
        return this.next % 2 === 0;
      case "image":
        return undefined;
      case "dropdown":
        return field.options.length === 0 ? undefined : this.choice(field);
      default:
        return field.valueType === "date" ? this.date() : field.valueType === "number" ? this.next : this.text();
    }
  }

  private text(): string {
    this.next += 1;
    const text = `Value${this.next}x`;
    this.shown.push(text);
    return text;
  }

  private choice({ options, optionLabels }: TemplateField): string {
    const at = this.next % options.length;
    this.shown.push(optionLabels[at] ?? options[at] ?? "");
    return options[at] ?? "";
  }

  private date(): string {
    return new Date(FIRST_DAY + this.next * MS_A_DAY).toISOString().slice(0, 10);
  }
}

/** @param items of each loop */
export function distinctValues(fields: readonly TemplateField[], items = 2): DistinctValues {
  const made = new Values(items);
  const values = made.of(fields);
  return { values, shown: made.shown };
}
