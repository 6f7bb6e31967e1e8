/**
 * The content of a page as the search for places to write sees it: words and drawn things. In points, with the text
 * running to the right; x grows to the right, y downwards.
 */
import type { Box } from "../../../ports/layout.ts";
import { median } from "../../layout/geometry.ts";
import type { Fill, Rule } from "../../structure/tables/table-parts.ts";

export interface FormWord {
  text: string;
  box: Box;
  /** Size of the type in points. */
  size: number;
  /** Indices of words on one line follow each other; words of one line share this number. */
  line: number;
  bold?: boolean;
  /** Number of the text over the page's own content that it is part of, as values are that a program made part of a page. */
  overlaid?: number;
}

/** A character that shows an empty checkbox or radio button. */
export interface MarkGlyph {
  box: Box;
  round: boolean;
}

export interface FormPageContent {
  /** From 1. */
  pageNumber: number;
  /** Points, as the page is shown. */
  width: number;
  height: number;
  /** Quarter turns clockwise of the text as shown, in degrees: 0, 90, 180, 270. All boxes here are turned back by it. */
  angle: number;
  /** The page in the frame of its text. */
  frame: Box;
  /** In reading order, without underscores and leaders. */
  words: readonly FormWord[];
  horizontal: readonly Rule[];
  vertical: readonly Rule[];
  /** Filled boxes that are visible on white paper. */
  fills: readonly Fill[];
  /** White boxes on a fill. */
  blanks: readonly Box[];
  /** Drawn boxes with rounded corners. */
  frames: readonly Box[];
  /** Drawn circles and ovals. */
  rounds: readonly Box[];
  /** Frames of checkboxes, where the reader knows them apart from rules. */
  squares: readonly Box[];
  /** Characters that show one. */
  marks: readonly MarkGlyph[];
  /** Rows of underscores, and rows of dots that lead the eye: their place is the baseline. */
  underscores: readonly Rule[];
  leaders: readonly Rule[];
  /** Fields that the document already has. */
  widgets: readonly Box[];
  /** The page is a picture: its words are recognised and its lines found in pixels. */
  isPicture: boolean;
}

/** Type size in points for a page without words. */
const DEFAULT_EM_POINTS = 9;
/** Sizes between which the usual type of a form lies, in points; a page of headlines or of fine print is not the rule. */
const MIN_EM_POINTS = 6;
const MAX_EM_POINTS = 14;

/** Usual type size of a page in points, the unit of the rules of detection. */
export function pageEm({ words }: Pick<FormPageContent, "words">): number {
  const size = words.length === 0 ? DEFAULT_EM_POINTS : median(words.map((word) => word.size));
  return Math.min(Math.max(size, MIN_EM_POINTS), MAX_EM_POINTS);
}
