/** A user's schema, read once for a task and passed to its parts. */
import type { MemberFault } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import { type CalculatedFields, readCalculatedFields } from "./formulas/calculated-fields.ts";
import { pointTo } from "./json-pointer.ts";
import { SchemaResolver } from "./schema-resolver.ts";
import { type Field, readSchema, type Shape } from "./schema-shape.ts";

/** Fields outside of lists that a document may fill: neither calculated nor constant. */
function* openFieldsIn(shape: Shape, pointer = ""): Generator<[pointer: string, field: Field]> {
  if (shape.kind === "scalar" && !shape.field.calculated && shape.field.constant === null) yield [pointer, shape.field];
  if (shape.kind !== "object") return;
  for (const { name, shape: member } of shape.members) yield* openFieldsIn(member, pointTo(pointer, name));
}

/** Immutable; each part is derived when it is first asked for. */
export class ParsedSchema {
  readonly json: Json;
  /** Follows references and combinations within the schema. */
  readonly resolver: SchemaResolver;
  #shape: Shape | undefined;
  #fields: ReadonlyMap<string, Field> | undefined;
  #calculated: CalculatedFields | { faults: MemberFault[] } | undefined;

  constructor(json: Json) {
    this.json = json;
    this.resolver = new SchemaResolver(json);
  }

  /** The shape of the schema's result. */
  get shape(): Shape {
    this.#shape ??= this.shapeOf(this.json);
    return this.#shape;
  }

  /** The shape of a part of the schema, whose references lead into the whole. */
  shapeOf(part: Json): Shape {
    return readSchema(part, this.resolver);
  }

  /** Fields outside of lists that a document may fill, by JSON Pointer, in the schema's order. */
  get fields(): ReadonlyMap<string, Field> {
    this.#fields ??= new Map(openFieldsIn(this.shape));
    return this.#fields;
  }

  /** The calculated fields and the rest of the schema, or the faults of the formulas. */
  get calculated(): CalculatedFields | { faults: MemberFault[] } {
    this.#calculated ??= readCalculatedFields(this.json);
    return this.#calculated;
  }
}

/** Reads a user's schema. Never throws; a hostile schema is cut. */
export const parseSchema = (json: Json): ParsedSchema => new ParsedSchema(json);
