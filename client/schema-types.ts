/** The data that a schema describes, as a type: of Standard Schema (zod), TypeBox, a JSON Schema literal, or a shape. */
import type { Json } from "./json.ts";

/** A schema library's object that says its type, and its JSON Schema where the library can (standardschema.dev). */
export interface StandardSchema {
  readonly "~standard": {
    readonly vendor: string;
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
    readonly jsonSchema?: { readonly input: (options: { readonly target: "draft-2020-12" }) => object } | undefined;
  };
}

/** JSON text, or a JSON Schema, a shape, a TypeBox or a Standard Schema object. */
export type SchemaInput = string | object;

/** True for types of which nothing is known: `Json`, `unknown`, `any`. */
export type IsOpen<T> = [Json] extends [T] ? true : false;

/** Data as the service returns it: a member that the document has no value for is null. */
export type Extracted<T> =
  IsOpen<T> extends true
    ? Json
    : T extends readonly (infer Item)[]
      ? Extracted<Item>[]
      : T extends object
        ? { -readonly [Name in keyof T]: Extracted<T[Name]> | null }
        : T;

/** The data that the service extracts with a schema. */
export type DataOf<Schema> = Extracted<TypeOf<Schema>>;

/** The type that a schema describes. */
export type TypeOf<Schema> = Schema extends { readonly "~standard": { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly input: infer Input }
    ? Input
    : Json
  : Schema extends { readonly static: infer Static; readonly params: readonly unknown[] }
    ? Static
    : string extends keyof Schema
      ? Json
      : Schema extends string
        ? Json
        : keyof Schema & SchemaKeyword extends never
          ? OfShape<Schema>
          : OfJsonSchema<Schema>;

/** Members that make an object a JSON Schema; without any it is a shape. The service has the same list. */
type SchemaKeyword =
  | "$schema"
  | "$id"
  | "$ref"
  | "$defs"
  | "definitions"
  | "type"
  | "properties"
  | "patternProperties"
  | "additionalProperties"
  | "prefixItems"
  | "enum"
  | "const"
  | "anyOf"
  | "oneOf"
  | "allOf"
  | "not"
  | "required";

interface TypeByName {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}

type OfJsonSchema<Schema> = Schema extends { readonly const: infer Constant }
  ? Constant
  : Schema extends { readonly enum: readonly (infer Choice)[] }
    ? Choice
    : Schema extends { readonly anyOf: readonly (infer One)[] }
      ? OfJsonSchema<One>
      : Schema extends { readonly oneOf: readonly (infer One)[] }
        ? OfJsonSchema<One>
        : Schema extends { readonly allOf: readonly [infer First, ...infer Rest] }
          ? OfAll<First, Rest>
          : Schema extends { readonly type: readonly (infer Name)[] }
            ? OfType<Name, Schema>
            : Schema extends { readonly type: infer Name }
              ? OfType<Name, Schema>
              : Schema extends { readonly properties: object }
                ? OfObject<Schema>
                : Json;

type OfAll<First, Rest> = Rest extends readonly [infer Next, ...infer Others]
  ? OfJsonSchema<First> & OfAll<Next, Others>
  : OfJsonSchema<First>;

type OfType<Name, Schema> = Name extends keyof TypeByName
  ? TypeByName[Name]
  : Name extends "array"
    ? Schema extends { readonly items: infer Item }
      ? OfJsonSchema<Item>[]
      : Json[]
    : Name extends "object"
      ? OfObject<Schema>
      : Json;

type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never;

type OfObject<Schema> = Schema extends { readonly properties: infer Members }
  ? Flat<
      {
        -readonly [Name in keyof Members as Name extends RequiredOf<Schema> ? Name : never]: OfJsonSchema<
          Members[Name]
        >;
      } & {
        -readonly [Name in keyof Members as Name extends RequiredOf<Schema> ? never : Name]?: OfJsonSchema<
          Members[Name]
        >;
      }
    >
  : { [member: string]: Json };

type Flat<T> = { [Name in keyof T]: T[Name] } & {};

/** Names of types in a shape; another text is an example or a description of a text. */
interface TypeByShapeName {
  number: number;
  decimal: number;
  float: number;
  integer: number;
  int: number;
  boolean: boolean;
  bool: boolean;
}

type OfShape<Shape> = Shape extends readonly (infer Item)[]
  ? OfShape<Item>[]
  : Shape extends string
    ? Lowercase<Shape> extends keyof TypeByShapeName
      ? TypeByShapeName[Lowercase<Shape>]
      : string
    : Shape extends number
      ? number
      : Shape extends boolean
        ? boolean
        : Shape extends object
          ? { -readonly [Name in keyof Shape]: OfShape<Shape[Name]> }
          : Json;
