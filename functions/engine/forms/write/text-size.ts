/** The size of a field's text, by the height of its box. */
import type { FormPage } from "../acroform/form-pages.ts";

/** Share of a box's height that a line's size is: its capitals then have some air above and below. */
const SIZE_SHARE = 0.72;
/** Largest size of a line, and of text over lines, in points, on a page of ordinary size. */
const MAX_LINE_POINTS = 12;
const MAX_PARAGRAPH_POINTS = 10;
/** Smallest size, in points; below it print cannot be read. */
const MIN_POINTS = 4;
/** Sizes are multiples of this many points. */
const SIZE_STEP_POINTS = 0.5;
/** Distance of lines, in sizes, and the fewest lines that a field of several lines shows. */
const LINE_DISTANCE = 1.2;
const MIN_LINES = 2;
/** The shorter side of a US letter page in points: text on a larger page is larger. */
const ORDINARY_PAGE_POINTS = 612;

const scaleOf = ({ width, height }: Pick<FormPage, "width" | "height">): number =>
  Math.max(1, Math.min(width, height) / ORDINARY_PAGE_POINTS);

const stepped = (points: number): number =>
  Math.max(MIN_POINTS, Math.floor(points / SIZE_STEP_POINTS) * SIZE_STEP_POINTS);

/** The size of one line in points. @param height of the box, in points */
export const lineSize = (page: Pick<FormPage, "width" | "height">, height: number): number =>
  stepped(Math.min(MAX_LINE_POINTS * scaleOf(page), height * SIZE_SHARE));

/** The size of text over several lines in points. @param height of the box, in points */
export const paragraphSize = (page: Pick<FormPage, "width" | "height">, height: number): number =>
  stepped(Math.min(MAX_PARAGRAPH_POINTS * scaleOf(page), height / (MIN_LINES * LINE_DISTANCE)));

/** The size of characters in cells. @param cell width of a cell, in points */
export const combSize = (page: Pick<FormPage, "width" | "height">, height: number, cell: number): number =>
  stepped(Math.min(lineSize(page, height), cell));
