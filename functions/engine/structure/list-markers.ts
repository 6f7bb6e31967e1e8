/** Markers that begin list items: bullets, boxes, numbers and letters. */
import type { Word } from "../../ports/layout.ts";
import { type BlockRow, emOfRow, rowWords } from "./block-rows.ts";

/** `3.` is a digit, `c)` a letter, `iv.` a roman number; `i.` is a letter and a roman number. */
type Counting = "digit" | "lower" | "upper" | "lower-roman" | "upper-roman";

export interface ListMarker {
  marker: string;
  /** True for bullets and boxes that mean nothing else: they need no evidence. */
  certain: boolean;
  /** Style that the items of one list share: the sign itself, or the signs around the number (`(#)`). */
  style: string;
  /** Possible counts of numbers and letters. */
  counts: { as: Counting; value: number }[];
  /** Inches: where the marker and the text behind it begin. */
  left: number;
  textLeft: number;
}

const BULLET = /^[•‣⁃◦▪▫●○■□▸►▶➢➤➔❖◆◇✓✔✗✘☐☑☒❏❑❒∙\ue000-\uf8ff]$/;
/** A word that is or begins with a box: more than one on a row are choices. */
const BOX_START = /^[☐☑☒❏❑❒]/u;
/** A bullet without a space behind it. */
const GLUED_BULLET = /^([•‣▪●◦☐☑☒\uf000-\uf0ff])(?=[\p{L}\p{N}("“„«])/u;
/** Signs that mean other things as well. */
const WEAK_BULLET = /^[-–—*·o]$/;
const ASCII_BOX = /^\[[ xX✓✔]?\]$/;
const NUMBER_MARKER = /^(\(?)(?:(\d{1,3})|([a-z]{1,5})|([A-Z]{1,5}))([.)])$/;
const PRIVATE_USE = /^[\ue000-\uf8ff]$/;
/** Signs of a marker at most: `(viii)`. */
const MAX_MARKER_LENGTH = 7;
/** Gap between a marker and its text; a wider one parts columns. */
const MAX_MARKER_GAP_EM = 4;

const ROMAN = /^(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/i;
const ROMAN_DIGITS: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

/** Value of a roman number below 90; 0 for any other text. */
export function romanValue(text: string): number {
  if (!ROMAN.test(text)) return 0;
  const digits = [...text.toLowerCase()].map((digit) => ROMAN_DIGITS[digit] ?? 0);
  return digits.reduce((sum, digit, at) => sum + (digit < (digits[at + 1] ?? 0) ? -digit : digit), 0);
}

function countsOf(digits?: string, lower?: string, upper?: string): ListMarker["counts"] {
  if (digits !== undefined) return [{ as: "digit", value: Number(digits) }];
  const letters = lower ?? upper ?? "";
  const counts: ListMarker["counts"] = [];
  if (letters.length === 1) {
    const value = letters.toLowerCase().charCodeAt(0) - 96;
    counts.push({ as: lower === undefined ? "upper" : "lower", value });
  }
  const value = romanValue(letters);
  if (value > 0) counts.push({ as: lower === undefined ? "upper-roman" : "lower-roman", value });
  return counts;
}

type MarkerSign = Pick<ListMarker, "marker" | "certain" | "style" | "counts">;

function signOf(text: string): MarkerSign | undefined {
  if (BULLET.test(text)) {
    return { marker: PRIVATE_USE.test(text) ? "•" : text, certain: true, style: text, counts: [] };
  }
  if (ASCII_BOX.test(text)) return { marker: text, certain: true, style: "[]", counts: [] };
  if (WEAK_BULLET.test(text)) return { marker: text, certain: false, style: text, counts: [] };
  const [, open, digits, lower, upper, close] = NUMBER_MARKER.exec(text) ?? [];
  const counts = countsOf(digits, lower, upper);
  if (open === undefined || counts.length === 0 || (open === "(" && close !== ")")) return undefined;
  return { marker: text, certain: false, style: `${open}#${close}`, counts };
}

function gluedMarker(word: Word): ListMarker | undefined {
  const sign = GLUED_BULLET.exec(word.text)?.[1];
  const found = sign === undefined ? undefined : signOf(sign);
  return found && { ...found, left: word.box.left, textLeft: word.box.left };
}

/** The marker that a row begins with, if text follows it; one row of several marked choices has none. */
export function markerOfRow(row: BlockRow): ListMarker | undefined {
  const words = rowWords(row);
  const [first, second, third] = words;
  if (first === undefined || row.lines.length > 2) return undefined;
  if (BOX_START.test(first.text) && words.some((word) => word !== first && BOX_START.test(word.text))) return undefined;
  if (second === undefined) return gluedMarker(first);
  if (first.text.length > MAX_MARKER_LENGTH) return row.lines.length === 1 ? gluedMarker(first) : undefined;
  const box = first.text === "[" && second.text === "]";
  const sign = signOf(box ? "[ ]" : first.text);
  const text = box ? third : second;
  if (row.lines.length === 2 && row.lines[0]?.words.length !== (box ? 2 : 1)) return undefined;
  if (sign === undefined || text === undefined) return row.lines.length === 1 ? gluedMarker(first) : undefined;
  const end = box ? second.box.right : first.box.right;
  const gap = (text.box.left - end) / emOfRow(row);
  if (gap > MAX_MARKER_GAP_EM) return undefined;
  return { ...sign, left: first.box.left, textLeft: text.box.left };
}
