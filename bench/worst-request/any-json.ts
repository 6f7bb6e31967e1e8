/** JSON that grows along the dimensions of JSON itself. */
import { type Growing, long, nested, repeated } from "./texts.ts";

/** Values for a place that takes anything. */
export const ANY_VALUES: Readonly<Record<string, Growing>> = {
  "depth of lists": nested("[", "0", "]"),
  "depth of objects": nested('{"a":', "0", "}"),
  "depth of lists, to 900": (size) => repeated(() => nested("[", "0", "]", 900)(1_801), "[", "]")(size),
  "empty lists": repeated(() => "[]", "[", "]"),
  "empty objects": repeated(() => "{}", "[", "]"),
  members: repeated((at) => `"m${at.toString(36)}":0`, "{", "}"),
  "members that are null": repeated((at) => `"m${at.toString(36)}":null`, "{", "}"),
  "members with numbers as names": repeated((at) => `"${at * 7919}":0`, "{", "}"),
  numbers: repeated(() => "1", "[", "]"),
  "digits of a number": long("9", "", ""),
  "decimals of a number": long("9", "0.", ""),
  texts: repeated(() => '""', "[", "]"),
  "length of a text": long("a", '"', '"'),
  blanks: long(" ", '"', '"'),
  escapes: long("\\u00e4", '"', '"'),
  "length of a name": long("a", '{"', '":0}'),
  commas: long(",", '"', '"'),
  "ranges of pages": repeated(() => "1-9999", '"', '"'),
  "ranges of pages in a list": repeated(() => '"1-9999"', "[", "]"),
  "line feeds": long("\\n", '"', '"'),
};
