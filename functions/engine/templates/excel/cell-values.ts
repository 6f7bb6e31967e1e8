/** Values as cells hold them (ECMA-376 part 1, 18.3.1.4). */
import type { Json } from "../../../ports/json.ts";
import type { DateSystem } from "../../readers/office/xlsx/serial-dates.ts";
import { badValue, textValue } from "../field-values.ts";
import { xmlText } from "../office/xml-tree.ts";
import type { CellStyles, FormatKind } from "./cell-styles.ts";
import type { TextRun } from "./cell-text.ts";
import { encodeText } from "./xml-source.ts";

/** What a cell gets: its type, content and, for a date, another style. */
export interface CellContent {
  /** Attribute `t`; empty for a number and an empty cell. */
  type: string;
  content: string;
  style?: number;
}

export const EMPTY_CELL: CellContent = { type: "", content: "" };

/** Most characters of a cell (Excel specifications and limits). */
export const MAX_CELL_CHARACTERS = 32_767;

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
const TIME = /^(\d\d):(\d\d)(?::(\d\d))?$/;
const DAY_MS = 86_400_000;
/** 1 March 1900: the first day after the 29 February that the 1900 system counts and that never was. */
const FIRST_SURE_DAY_MS = Date.UTC(1900, 2, 1);
const EPOCHS: Readonly<Record<DateSystem, number>> = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };

interface SerialDate {
  serial: number;
  withTime: boolean;
}

/** The serial number of an ISO 8601 date, as it stands in its zone; undefined for other texts and dates before sheets. */
export function toSerial(text: string, system: DateSystem): SerialDate | undefined {
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, fraction = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const date = Date.UTC(year, month - 1, day);
  const made = new Date(date);
  const isReal =
    made.getUTCMonth() === month - 1 && made.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  if (!isReal || date < (system === 1900 ? FIRST_SURE_DAY_MS : EPOCHS[1904])) return undefined;
  const days = (date - EPOCHS[system]) / DAY_MS;
  const seconds = hour * 3600 + minute * 60 + second + fraction;
  return {
    serial: seconds === 0 ? days : Number((days + seconds / 86_400).toFixed(10)),
    withTime: match[4] !== undefined,
  };
}

function timeSerial(text: string): number | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [hour = 0, minute = 0, second = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return hour < 24 && minute < 60 && second < 60
    ? Number(((hour * 3600 + minute * 60 + second) / 86_400).toFixed(10))
    : undefined;
}

const number = (value: number): CellContent => ({ type: "", content: `<v>${value}</v>` });

/** A plain number as a text: no leading zeros, which would be lost. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;

/** Underscores that would read as an escaped character (22.9.2.19). */
export const escapeUnderscores = (text: string): string => text.replace(/_(?=x[\da-f]{4}_)/gi, "_x005F_");

/** Text as a cell holds it: without signs that XML cannot write, `\n` between lines. */
export const cellString = (text: string): string => xmlText(text.replaceAll(/\r\n?/g, "\n"));

/**
 * A text in a cell of its own, never a formula whatever it begins with.
 * @throws BadRequest for a longer text than a cell holds
 */
export function textContent(field: string, runs: readonly TextRun[]): CellContent {
  const length = runs.reduce((sum, { text }) => sum + text.length, 0);
  if (length > MAX_CELL_CHARACTERS) {
    throw badValue(
      field,
      `A cell of Excel holds ${MAX_CELL_CHARACTERS.toLocaleString("en-US")} characters, and the field ${field} would fill one with ${length.toLocaleString("en-US")}; send a shorter text`,
    );
  }
  const filled = runs.filter(({ text }) => text !== "");
  if (filled.length === 0) return EMPTY_CELL;
  const written = filled.map(({ text }) => `<t xml:space="preserve">${encodeText(escapeUnderscores(text))}</t>`);
  if (filled.every(({ look }) => look === ""))
    return { type: "inlineStr", content: `<is>${written.length === 1 ? written[0] : joined(filled)}</is>` };
  return {
    type: "inlineStr",
    content: `<is>${filled.map(({ look }, at) => `<r>${look}${written[at]}</r>`).join("")}</is>`,
  };
}

const joined = (runs: readonly TextRun[]): string =>
  `<t xml:space="preserve">${encodeText(escapeUnderscores(runs.map(({ text }) => text).join("")))}</t>`;

/** A text that is a date or a number by itself and by the cell's format; undefined for any other. */
function typedText(text: string, kind: FormatKind, dates: DateSystem): CellContent | SerialDate | undefined {
  if (kind === "text") return undefined;
  if (kind === "number" && PLAIN_NUMBER.test(text)) return number(Number(text));
  const time = kind === "date" ? timeSerial(text) : undefined;
  return time === undefined ? toSerial(text, dates) : number(time);
}

/**
 * The value of a tag that is alone in its cell: numbers, booleans and dates keep their type.
 * @param look of the tag's text
 * @throws BadRequest for a list, an object or a text that is too long
 */
export function valueContent(
  field: string,
  value: Json | undefined,
  cell: { style: number; look: string; styles: CellStyles; dates: DateSystem },
): CellContent {
  if (value === undefined || value === null || value === "") return EMPTY_CELL;
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean") return { type: "b", content: `<v>${value ? 1 : 0}</v>` };
  const text = cellString(textValue(field, value));
  const kind = cell.styles.kind(cell.style);
  const typed = typedText(text, kind, cell.dates);
  if (typed === undefined) return textContent(field, [{ text, look: cell.look }]);
  if ("content" in typed) return typed;
  if (kind === "date") return number(typed.serial);
  const style = cell.styles.dateStyle(cell.style, typed.withTime);
  return style === undefined ? textContent(field, [{ text, look: cell.look }]) : { ...number(typed.serial), style };
}
