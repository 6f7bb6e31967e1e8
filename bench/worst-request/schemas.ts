/** Users' schemas that grow along their dimensions: depth, width, references, patterns, formulas. */
import { allInside, type Growing, inside, long, nested, repeated } from "./texts.ts";

/** A name that is no keyword. */
const name = (at: number): string => `_${at.toString(36)}`;
const formula = (expression: string): string => `{"x-calculated":{"formula":${JSON.stringify(expression)}}}`;
const properties = (unit: (at: number) => string): Growing => repeated(unit, '{"properties":{', "}}");
/** A pattern of the most characters. */
const PATTERN_CHARS = 2_000;
const pattern = (unit: string): string => unit.repeat(Math.floor(PATTERN_CHARS / unit.length));
const patterns = (unit: string): Growing =>
  properties((at) => `"${name(at)}":{"pattern":${JSON.stringify(pattern(unit))}}`);
/** Nesting that is below the limit. */
const DEPTH = 28;
const deep = (core: string): string => nested('{"properties":{"a":', core, "}}", DEPTH)(Number.MAX_SAFE_INTEGER);

const SHAPES_OF_SCHEMAS: Readonly<Record<string, Growing>> = {
  "depth of properties": nested('{"properties":{"a":', "{}", "}}"),
  "depth of properties, within the limit": properties((at) => `"${name(at)}":${deep("{}")}`),
  "depth of items": nested('{"items":', "{}", "}"),
  "depth of allOf": nested('{"allOf":[', "{}", "]}"),
  "depth of anyOf, twice a level": inside(
    '{"properties":{"a":',
    repeated(() => nested('{"anyOf":[{},', "{}", "]}", DEPTH)(1_000), '{"anyOf":[', "]}"),
    "}}",
  ),
  "depth of not": nested('{"not":', "{}", "}"),
  properties: properties((at) => `"${name(at)}":{}`),
  "properties with types": properties((at) => `"${name(at)}":{"type":"string","title":"x"}`),
  "properties with lists of types": properties((at) => `"${name(at)}":{"type":["string","null"]}`),
  "members of allOf": repeated(() => "{}", '{"allOf":[', "]}"),
  "members of oneOf": repeated((at) => `{"const":${at}}`, '{"oneOf":[', "]}"),
  conditions: repeated(() => '{"if":{},"then":{},"else":{}}', '{"allOf":[', "]}"),
  "required names": repeated((at) => `"${name(at)}"`, '{"type":"object","required":[', "]}"),
  "equal required names": repeated(() => '"a"', '{"type":"object","required":[', "]}"),
  "dependent names": repeated((at) => `"${name(at)}":["a","b"]`, '{"type":"object","dependentRequired":{', "}}"),
  "values of enum": repeated((at) => `"${name(at)}"`, '{"enum":[', "]}"),
  "objects of enum": repeated((at) => `{"a":${at}}`, '{"enum":[', "]}"),
  types: repeated((at) => `"t${name(at)}"`, '{"type":[', "]}"),
  examples: repeated((at) => `{"a":[${at}]}`, '{"type":"object","examples":[', "]}"),
  "length of a description": long("a", '{"type":"object","description":"', '"}'),
  "length of a name": long("a", '{"properties":{"', '":{}}}'),
  "faulty keywords": properties((at) => `"${name(at)}":{"type":"x"}`),
};

const REFERENCES: Readonly<Record<string, Growing>> = {
  "references to one definition": repeated(
    (at) => `"${name(at)}":{"$ref":"#/$defs/d"}`,
    '{"$defs":{"d":{"type":"string"}},"properties":{',
    "}}",
  ),
  "references to a large definition": (size) =>
    repeated(
      (at) => `"${name(at)}":{"$ref":"#/$defs/d"}`,
      `{"$defs":{"d":${properties((at) => `"${name(at)}":{}`)(size / 2)}},"properties":{`,
      "}}",
    )(size),
  "a chain of references": repeated(
    (at) => `"d${at}":{"$ref":"#/$defs/d${at + 1}"}`,
    '{"properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{',
    "}}",
  ),
  "a tree of references": repeated(
    (at) => `"d${at}":{"properties":{"a":{"$ref":"#/$defs/d${at + 1}"},"b":{"$ref":"#/$defs/d${at + 1}"}}}`,
    '{"properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{',
    "}}",
  ),
  "a tree of alternatives": repeated(
    (at) => `"d${at}":{"anyOf":[{"$ref":"#/$defs/d${at + 1}"},{"$ref":"#/$defs/d${at + 1}"}]}`,
    '{"properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{',
    "}}",
  ),
  "references to the whole": properties((at) => `"${name(at)}":{"$ref":"#"}`),
  "references in a circle": repeated((at) => `"d${at}":{"$ref":"#/$defs/d${at}"}`, '{"type":"object","$defs":{', "}}"),
  "references by anchors": repeated(
    (at) => `"${name(at)}":{"$anchor":"n${at}","$ref":"#n${at + 1}"}`,
    '{"type":"object","$ref":"#n0","$defs":{',
    "}}",
  ),
  "length of a reference": long("/a", '{"properties":{"a":{"$ref":"#', '"}}}'),
  "steps of references": properties((at) => `"${name(at)}":{"$ref":"#${"/a".repeat(490)}"}`),
  "escapes of references": properties((at) => `"${name(at)}":{"$ref":"#/${"%41".repeat(300)}"}`),
  "references that lead nowhere": properties((at) => `"${name(at)}":{"$ref":"#/$defs/x${at}"}`),
  "names of schemas": repeated((at) => `"${name(at)}":{"$id":"s${at}"}`, '{"type":"object","$defs":{', "}}"),
};

const PATTERNS: Readonly<Record<string, Growing>> = {
  patterns: properties((at) => `"${name(at)}":{"pattern":"^a${at}$"}`),
  "names by patterns": repeated((at) => `"^a${at}":{}`, '{"patternProperties":{', "}}"),
  "long patterns of characters": patterns("a"),
  "long patterns of groups": patterns("(a)"),
  "long patterns of repeats": patterns("(a+)+"),
  "long patterns of counted repeats": patterns("a{99}"),
  "long patterns of alternatives": patterns("a|"),
  "long patterns of classes": patterns("[a-z]"),
  "long patterns of properties": patterns("\\p{L}"),
  "long patterns of open properties": patterns("\\p{"),
  "long patterns of escapes": patterns("\\u0041"),
  "long patterns of lookaheads": patterns("(?=a)"),
  "long patterns of names of groups": patterns("(?<"),
  "long patterns of brackets": patterns("[]"),
  "long patterns of scripts": patterns("\\p{Script_Extensions=Greek}"),
};

const FORMULAS: Readonly<Record<string, Growing>> = {
  formulas: properties((at) => `"${name(at)}":${formula("1+1")}`),
  "depth of formulas": nested('{"properties":{"a":', `{"properties":{"f":${formula("1")}}}`, "}}"),
  "depth of formulas, within the limit": properties((at) => `"${name(at)}":${deep(formula("1"))}`),
  "long formulas": properties((at) => `"${name(at)}":${formula(`${"1+".repeat(1_990)}1`)}`),
  "references of formulas": properties((at) => `"${name(at)}":${formula(`${"{a}+".repeat(900)}{b}`)}`),
  "references of formulas, at depth": (size) =>
    properties((at) => `"${name(at)}":${deep(formula(`${"{a}+".repeat(900)}{b}`))}`)(size),
  "long references of formulas": properties((at) => `"${name(at)}":${formula(`{${"a.".repeat(1_900)}a}`)}`),
  "a chain of formulas": properties((at) => `"f${at}":${formula(`{f${at + 1}}`)}`),
  "formulas in a circle": properties((at) => `"f${at}":${formula("{f0}+{f1}+{f2}+{f3}")}`),
  "formulas that all need each other": (size) => {
    const count = Math.max(2, Math.floor(Math.sqrt(size / 6)));
    const all = Array.from({ length: Math.min(count, 600) }, (_, at) => `{f${at}}`).join("+");
    return properties((at) => `"f${at}":${formula(all)}`)(size);
  },
  "faulty formulas": properties((at) => `"${name(at)}":${formula("?")}`),
  "faulty formulas below a long name": (size) =>
    inside(
      `{"properties":{"${"n".repeat(size / 2)}":`,
      properties((at) => `"${name(at)}":${formula("?")}`),
      "}}",
    )(size),
  "a formula used again": (size) =>
    repeated(
      (at) => `"${name(at)}":{"$ref":"#/$defs/d"}`,
      `{"$defs":{"d":{"properties":{"f":${formula(`${"{a}+".repeat(900)}{b}`)}}}},"properties":{`,
      "}}",
    )(size),
  "open texts in formulas": properties((at) => `"${name(at)}":${formula(`"${'""'.repeat(1_900)}`)}`),
  "signs in formulas": properties((at) => `"${name(at)}":${formula(`${"-".repeat(3_900)}1`)}`),
  "blanks in formulas": properties((at) => `"${name(at)}":${formula(`1${" ".repeat(3_900)}?`)}`),
};

const SHAPES: Readonly<Record<string, Growing>> = {
  "depth of a shape": nested('{"a":', '"x"', "}"),
  "members of a shape": repeated((at) => `"${name(at)}":"string"`, "{", "}"),
  "examples of a shape": repeated((at) => `"${name(at)}":[{"a":"2026-01-01"}]`, "{", "}"),
};

/** Schemas by dimension. */
export const SCHEMAS: Readonly<Record<string, Growing>> = {
  ...SHAPES_OF_SCHEMAS,
  ...REFERENCES,
  ...PATTERNS,
  ...FORMULAS,
  ...SHAPES,
};

/** Schemas as JSON texts in a JSON text. */
export const SCHEMA_TEXTS: Readonly<Record<string, Growing>> = Object.fromEntries(
  Object.entries(SCHEMAS).map(([dimension, grown]) => [
    dimension,
    (size: number) => JSON.stringify(grown(size - JSON.stringify(grown(size)).length + size)),
  ]),
);

/** Commands that hold schemas. */
export const COMMANDS: Readonly<Record<string, Growing>> = {
  ...allInside('{"schema":', SCHEMAS, "}"),
};
