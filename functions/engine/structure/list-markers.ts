/** The marks that begin list items: bullets, boxes, numbers and letters. */
import type { Word } from "../../ports/layout.ts";
import { emOf, type Row, rowWords } from "./block-rows.ts";

/** `3.` is a digit, `c)` a letter, `iv.` a roman number; `i.` is a letter and a roman number. */
type Counting = "digit" | "lower" | "upper" | "lower-roman" | "upper-roman";

export interface Mark {
  marker: string;
  /** Of bullets and boxes that mean nothing else: no evidence is needed. */
  certain: boolean;
  /** What the items of one list share: the sign itself, or how it is written around the number (`(#)`). */
  style: string;
  /** Of numbers and letters: what they can count. */
  counts: { as: Counting; value: number }[];
  /** Inches: where the mark and the text behind it begin. */
  left: number;
  textLeft: number;
}

const BULLET = /^[•‣⁃◦▪▫●○■□▸►▶➢➤➔❖◆◇✓✔✗✘☐☑☒❏❑❒∙\ue000-\uf8ff]$/;
/** A word that has or begins with a box: more than one on a row are choices. */
const MARKED = /^[☐☑☒❏❑❒]/u;
/** A bullet without a space behind it. */
const GLUED = /^([•‣▪●◦☐☑☒\uf000-\uf0ff])(?=[\p{L}\p{N}("“„«])/u;
/** Signs that mean other things as well. */
const WEAK_BULLET = /^[-–—*·o]$/;
const BOX = /^\[[ xX✓✔]?\]$/;
const NUMBER = /^(\(?)(?:(\d{1,3})|([a-z]{1,5})|([A-Z]{1,5}))([.)])$/;
const PRIVATE_USE = /^[\ue000-\uf8ff]$/;
/** `(viii)`: no mark has more signs. */
const LONGEST = 7;
/** Ems between a mark and its text; more is another column. */
const WIDEST_GAP = 4;

const ROMAN = /^(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/i;
const ROMAN_DIGITS: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

/** 0 for what is no roman number below 90. */
export function romanValue(text: string): number {
  if (!ROMAN.test(text)) return 0;
  const digits = [...text.toLowerCase()].map((digit) => ROMAN_DIGITS[digit] ?? 0);
  return digits.reduce((sum, digit, at) => sum + (digit < (digits[at + 1] ?? 0) ? -digit : digit), 0);
}

function countsOf(digits?: string, lower?: string, upper?: string): Mark["counts"] {
  if (digits !== undefined) return [{ as: "digit", value: Number(digits) }];
  const letters = lower ?? upper ?? "";
  const counts: Mark["counts"] = [];
  if (letters.length === 1) {
    const value = letters.toLowerCase().charCodeAt(0) - 96;
    counts.push({ as: lower === undefined ? "upper" : "lower", value });
  }
  const value = romanValue(letters);
  if (value > 0) counts.push({ as: lower === undefined ? "upper-roman" : "lower-roman", value });
  return counts;
}

type Sign = Pick<Mark, "marker" | "certain" | "style" | "counts">;

function signOf(text: string): Sign | undefined {
  if (BULLET.test(text)) {
    return { marker: PRIVATE_USE.test(text) ? "•" : text, certain: true, style: text, counts: [] };
  }
  if (BOX.test(text)) return { marker: text, certain: true, style: "[]", counts: [] };
  if (WEAK_BULLET.test(text)) return { marker: text, certain: false, style: text, counts: [] };
  const [, open, digits, lower, upper, close] = NUMBER.exec(text) ?? [];
  const counts = countsOf(digits, lower, upper);
  if (open === undefined || counts.length === 0 || (open === "(" && close !== ")")) return undefined;
  return { marker: text, certain: false, style: `${open}#${close}`, counts };
}

function glued(word: Word): Mark | undefined {
  const sign = GLUED.exec(word.text)?.[1];
  const found = sign === undefined ? undefined : signOf(sign);
  return found && { ...found, left: word.box.left, textLeft: word.box.left };
}

/** The mark that a row begins with, if text follows it; one row of several marked choices is none. */
export function markOf(row: Row): Mark | undefined {
  const words = rowWords(row);
  const [first, second, third] = words;
  if (first === undefined || row.lines.length > 2) return undefined;
  if (MARKED.test(first.text) && words.some((word) => word !== first && MARKED.test(word.text))) return undefined;
  if (second === undefined) return glued(first);
  if (first.text.length > LONGEST) return row.lines.length === 1 ? glued(first) : undefined;
  const box = first.text === "[" && second.text === "]";
  const sign = signOf(box ? "[ ]" : first.text);
  const text = box ? third : second;
  if (row.lines.length === 2 && row.lines[0]?.words.length !== (box ? 2 : 1)) return undefined;
  if (sign === undefined || text === undefined) return row.lines.length === 1 ? glued(first) : undefined;
  const end = box ? second.box.right : first.box.right;
  const gap = (text.box.left - end) / emOf(row);
  if (gap > WIDEST_GAP) return undefined;
  return { ...sign, left: first.box.left, textLeft: text.box.left };
}
