/**
 * A layout's page as a small PDF in the standard fonts, which every PDF engine brings along: pictures of Latin text look
 * alike on every machine, also where no font is installed.
 */
import {
  beginText,
  endText,
  PDFDocument,
  type PDFFont,
  type PDFName,
  type PDFOperator,
  type PDFPage,
  rgb,
  StandardFonts,
  setFillingRgbColor,
  setFontAndSize,
  setTextMatrix,
  showText,
} from "@cantoo/pdf-lib";
import type { Box } from "../../../ports/layout.ts";
import { checkboxCharacter, isCheckboxCharacter } from "../../layout/checkbox-characters.ts";
import { BOX_HEIGHT_EM, DESCENT_EM, type DrawnPage, type DrawnWord, MAX_STRETCH } from "./drawn-page.ts";

const POINTS_PER_INCH = 72;
/** Longest side of a PDF page (PDF 32000-1, annex C: 14,400 units); longer pages are drawn smaller. */
const MAX_PAGE_INCHES = 200;
const RULE_POINTS = 0.5;
const RULE_COLOUR = rgb(0.6, 0.6, 0.6);
const FRAME_DASHES_POINTS = [4, 3];
/** Stands for a character that no font has. */
const MISSING_COLOUR = rgb(0.85, 0.85, 0.85);
/** Keeps the first letter's overhang inside its box. */
const SIDE_BEARING_EM = 0.02;
/** Words that are measured to choose between the typefaces. */
const MAX_SAMPLED_WORDS = 500;

/** A typeface: its fonts, each with its name in the page's resources. */
interface Typeface {
  monospaced: boolean;
  plain: NamedFont;
  bold: NamedFont;
}

interface NamedFont {
  font: PDFFont;
  name: PDFName;
}

export interface PagePdf {
  bytes: Uint8Array;
  /** Size of the PDF's page relative to the layout's. */
  share: number;
  /** The words are set in a typeface with letters of one width. */
  monospaced: boolean;
  /** Words that the standard fonts cannot write and `others` leaves out. */
  unwritten: DrawnWord[];
}

/** Text without characters that print nothing, such as soft hyphens and direction marks. */
const printedText = (text: string): string => text.normalize("NFC").replace(/[\p{Cf}\p{Cc}]/gu, "");

/** Width of the box relative to the natural width of its text at the height of the box. */
function boxFill({ text, box }: DrawnWord, font: PDFFont): number {
  const em = (box.bottom - box.top) / BOX_HEIGHT_EM;
  return (box.right - box.left) / Math.max(font.widthOfTextAtSize(text, em), 1e-6);
}

/** The typeface whose letters fill the boxes with the least stretching or squeezing. */
function fittingTypeface(words: readonly DrawnWord[], typefaces: readonly [Typeface, ...Typeface[]]): Typeface {
  const step = Math.max(Math.ceil(words.length / MAX_SAMPLED_WORDS), 1);
  const sampled = words.filter((_, at) => at % step === 0);
  const misfit = ({ plain }: Typeface): number =>
    sampled.reduce((sum, word) => sum + Math.abs(Math.log(boxFill(word, plain.font))), 0);
  return typefaces.reduce((best, one) => (misfit(one) < misfit(best) ? one : best));
}

/** Draws on a PDF page in the layout's coordinates. */
class PageWriter {
  readonly #page: PDFPage;
  readonly #scale: number;
  readonly #height: number;

  constructor(page: PDFPage, scale: number, height: number) {
    this.#page = page;
    this.#scale = scale;
    this.#height = height;
  }

  /** Draws a rectangle's outline; `filled` fills it too. */
  box({ left, top, right, bottom }: Box, { dashed = false, filled = false } = {}): void {
    this.#page.drawRectangle({
      x: left * this.#scale,
      y: (this.#height - bottom) * this.#scale,
      width: (right - left) * this.#scale,
      height: (bottom - top) * this.#scale,
      borderWidth: RULE_POINTS,
      borderColor: RULE_COLOUR,
      ...(filled ? { color: MISSING_COLOUR } : {}),
      ...(dashed ? { borderDashArray: FRAME_DASHES_POINTS } : {}),
    });
  }

  /** Writes text from the box's left edge, stretched or squeezed to its width. */
  text(text: string, box: Box, { font, name }: NamedFont): PDFOperator[] {
    const em = ((box.bottom - box.top) / BOX_HEIGHT_EM) * this.#scale;
    const room = (box.right - box.left) * this.#scale;
    const stretch = Math.min(room / (font.widthOfTextAtSize(text, em) + 2 * SIDE_BEARING_EM * em), MAX_STRETCH);
    const x = box.left * this.#scale + SIDE_BEARING_EM * em * stretch;
    const y = (this.#height - box.bottom) * this.#scale + DESCENT_EM * em;
    return [setFontAndSize(name, em), setTextMatrix(stretch, 0, 0, 1, x, y), showText(font.encodeText(text))];
  }

  write(operators: readonly PDFOperator[]): void {
    this.#page.pushOperators(setFillingRgbColor(0, 0, 0), beginText());
    // One call takes no more arguments than the stack has room for; a wide sheet has hundreds of thousands.
    for (const operator of operators) this.#page.pushOperators(operator);
    this.#page.pushOperators(endText());
  }
}

/** Cuts a word into its characters, each with an equal share of its box. */
function lettersOf({ text, box, bold }: DrawnWord): DrawnWord[] {
  const characters = [...printedText(text)];
  const width = (box.right - box.left) / Math.max(characters.length, 1);
  return characters.map((character, at) => {
    const left = box.left + at * width;
    return { text: character, box: { ...box, left, right: left + width }, bold };
  });
}

/** The box that stands for a letter, within its place on the row. */
function letterBox({ left, top, right, bottom }: Box): Box {
  const [width, height] = [right - left, bottom - top];
  return {
    left: left + width * 0.1,
    right: right - width * 0.1,
    top: top + height * 0.2,
    bottom: bottom - height * 0.2,
  };
}

/** Writes a character without its accents, where that helps; else draws a checkbox, or a grey box in its place. */
function writeLetter(
  writer: PageWriter,
  { text, box }: DrawnWord,
  { canWrite, font }: { canWrite(text: string): boolean; font: NamedFont },
): PDFOperator[] {
  const base = canWrite(text) ? text : text.normalize("NFD").replace(/\p{M}/gu, "");
  if (base === "") return [];
  if (canWrite(base)) return writer.text(base, box, font);
  const isCheckbox = isCheckboxCharacter(base);
  writer.box(letterBox(box), { filled: !isCheckbox });
  return base === checkboxCharacter(true) ? writer.text("x", box, font) : [];
}

/**
 * Draws the page: words that the standard fonts can write as text.
 * @param others words with other characters: left for the caller to draw, or written here letter by letter, without
 * accents where that helps, a grey box standing for each missing one
 */
export async function pagePdf(drawn: DrawnPage, others: "leave" | "letters"): Promise<PagePdf> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const share = Math.min(1, MAX_PAGE_INCHES / Math.max(drawn.width, drawn.height));
  const scale = POINTS_PER_INCH * share;
  const page = document.addPage([drawn.width * scale, drawn.height * scale]);
  const named = async (standard: StandardFonts): Promise<NamedFont> => {
    const font = await document.embedFont(standard);
    return { font, name: page.node.newFontDictionary(font.name, font.ref) };
  };
  const proportional: Typeface = {
    monospaced: false,
    plain: await named(StandardFonts.Helvetica),
    bold: await named(StandardFonts.HelveticaBold),
  };
  const fixed: Typeface = {
    monospaced: true,
    plain: await named(StandardFonts.Courier),
    bold: await named(StandardFonts.CourierBold),
  };
  const known = new Set(proportional.plain.font.getCharacterSet());
  const canWrite = (text: string): boolean => [...text].every((character) => known.has(character.codePointAt(0) ?? 0));
  const words = drawn.words.map((word) => ({ ...word, text: printedText(word.text) }));
  const writable = words.map(({ text }) => canWrite(text));
  const own = words.filter((_, at) => writable[at]);
  const unwritten = drawn.words.filter((_, at) => !writable[at]);
  const typeface = fittingTypeface(own, [proportional, fixed]);

  const writer = new PageWriter(page, scale, drawn.height);
  for (const cell of drawn.cells) writer.box(cell);
  for (const frame of drawn.frames) writer.box(frame, { dashed: true });
  const fontOf = ({ bold }: DrawnWord): NamedFont => (bold ? typeface.bold : typeface.plain);
  const letters = others === "letters" ? unwritten.flatMap(lettersOf) : [];
  const written = [
    ...own.flatMap((word) => writer.text(word.text, word.box, fontOf(word))),
    ...letters.flatMap((letter) => writeLetter(writer, letter, { canWrite, font: fontOf(letter) })),
  ];
  writer.write(written);
  const left = others === "leave" ? unwritten : [];
  return { bytes: await document.save(), share, monospaced: typeface.monospaced, unwritten: left };
}
