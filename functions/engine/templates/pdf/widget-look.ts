/** The look of a field's widget: its size, border, background and default appearance (PDF 32000-1, 12.5.6.19, 12.7.3.3). */
import { PDFDict, PDFName, type PDFObject } from "@cantoo/pdf-lib";
import {
  ancestorChain,
  dictOf,
  entry,
  listOf,
  nameOf,
  numberOf,
  rectangleOf,
  textOf,
} from "../../forms/acroform/pdf-values.ts";

export type BorderStyle = "S" | "D" | "B" | "I" | "U";

export interface WidgetLook {
  /** Points, before the rotation of the widget: of the upright text. */
  width: number;
  height: number;
  /** Degrees counterclockwise: 0, 90, 180 or 270. */
  rotation: number;
  /** Operators that set the colours; none: transparent. */
  background: string | undefined;
  border: string | undefined;
  /** Points; 0 without a border. */
  borderWidth: number;
  borderStyle: BorderStyle;
  /** Dash lengths in points. */
  dash: readonly number[];
}

/** The operands of a text's font and colour. */
export interface DefaultAppearance {
  /** Name of the font in the form's resources. */
  font: string;
  /** Points; 0: automatic. */
  size: number;
  /** Operators that set the colour. */
  colour: string;
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** An operator for a colour of 1, 3 or 4 components; none for any other. */
function colourOperator(components: readonly number[], kind: "fill" | "stroke"): string | undefined {
  const operator = { fill: { 1: "g", 3: "rg", 4: "k" }, stroke: { 1: "G", 3: "RG", 4: "K" } }[kind];
  const name = operator[components.length as 1 | 3 | 4];
  return name === undefined ? undefined : `${components.map(round).join(" ")} ${name}`;
}

const numbersOf = (dict: PDFDict | undefined, key: string, most: number): number[] =>
  dict === undefined ? [] : listOf(dict, key, most).flatMap((member) => numberOf(member) ?? []);

/** Border width and style of a widget, by its border style or else its border (tables 164, 166). */
function borderOf(widget: PDFDict): Pick<WidgetLook, "borderWidth" | "borderStyle" | "dash"> {
  const style = dictOf(widget, "BS");
  if (style !== undefined) {
    const name = entry(style, "S");
    const dash = numbersOf(style, "D", 8);
    return {
      borderWidth: numberOf(entry(style, "W")) ?? 1,
      borderStyle: name instanceof PDFName && "SDBIU".includes(nameOf(name)) ? (nameOf(name) as BorderStyle) : "S",
      dash: dash.length > 0 ? dash : [3],
    };
  }
  const border = numbersOf(widget, "Border", 4);
  return { borderWidth: border[2] ?? 1, borderStyle: "S", dash: [3] };
}

/** Reads a widget's look. @returns undefined for a widget without an area */
export function readLook(widget: PDFDict): WidgetLook | undefined {
  const rect = rectangleOf(entry(widget, "Rect"));
  if (rect === undefined) return undefined;
  const [left, bottom, right, top] = rect;
  if (!(right > left && top > bottom)) return undefined;
  const characteristics = dictOf(widget, "MK");
  const turn = numberOf(characteristics === undefined ? undefined : entry(characteristics, "R")) ?? 0;
  const rotation = (((Math.round(turn / 90) * 90) % 360) + 360) % 360;
  const [width, height] = rotation % 180 === 0 ? [right - left, top - bottom] : [top - bottom, right - left];
  const border = colourOperator(numbersOf(characteristics, "BC", 4), "stroke");
  const { borderWidth, ...style } = borderOf(widget);
  return {
    width,
    height,
    rotation,
    background: colourOperator(numbersOf(characteristics, "BG", 4), "fill"),
    border,
    borderWidth: border === undefined ? 0 : Math.min(borderWidth, width / 4, height / 4),
    ...style,
  };
}

/** The matrix that turns upright content into a rotated widget (table 189, R). */
export function rotationMatrix({ rotation, width, height }: WidgetLook): readonly number[] {
  if (rotation === 90) return [0, 1, -1, 0, round(height), 0];
  if (rotation === 180) return [-1, 0, 0, -1, round(width), round(height)];
  if (rotation === 270) return [0, -1, 1, 0, 0, round(width)];
  return [1, 0, 0, 1, 0, 0];
}

/** An entry that a widget inherits from its ancestors, and at last from the form. */
export function inherited(widget: PDFDict, form: PDFDict | undefined, key: string): PDFObject | undefined {
  for (const one of ancestorChain(widget)) {
    const own = entry(one, key);
    if (own !== undefined) return own;
  }
  return form === undefined ? undefined : entry(form, key);
}

/** Splits an appearance string into operands and operators. */
const TOKEN = /\/[^\s/[\]()<>]+|[-+]?(?:\d+\.?\d*|\.\d+)|[A-Za-z'"*]+/gu;
const COLOUR_OPERANDS: Record<string, number> = { g: 1, rg: 3, k: 4 };

/** Reads a default appearance; what it does not say is Helvetica of automatic size, in black. */
export function readDefaultAppearance(widget: PDFDict, form: PDFDict | undefined): DefaultAppearance {
  const text = textOf(inherited(widget, form, "DA")) ?? "";
  const read: DefaultAppearance = { font: "Helv", size: 0, colour: "0 g" };
  let operands: string[] = [];
  for (const token of text.match(TOKEN) ?? []) {
    const colours = COLOUR_OPERANDS[token];
    if (token === "Tf" && operands.length >= 2) {
      read.font = operands.at(-2)?.replace(/^\//u, "") ?? read.font;
      const size = Number(operands.at(-1));
      read.size = Number.isFinite(size) ? Math.min(Math.abs(size), 1_000) : 0;
    } else if (colours !== undefined && operands.length >= colours) {
      read.colour = `${operands.slice(-colours).join(" ")} ${token}`;
    }
    if (/^[A-Za-z'"*]/u.test(token)) operands = [];
    else operands.push(token);
  }
  return read;
}

/** The form's font of a name. */
export function formFont(widget: PDFDict, form: PDFDict | undefined, name: string): PDFDict | undefined {
  const resources = inherited(widget, form, "DR");
  const fonts = resources instanceof PDFDict ? dictOf(resources, "Font") : undefined;
  return fonts === undefined ? undefined : dictOf(fonts, name);
}

/** Operators for a widget's background and border; the shading of beveled and inset ones as Acrobat draws it. */
export function drawFrame(look: WidgetLook): string {
  const { width, height, background, border, borderWidth } = look;
  const parts: string[] = [];
  if (background !== undefined) parts.push(`q ${background} 0 0 ${round(width)} ${round(height)} re f Q`);
  if (border === undefined || borderWidth <= 0) return parts.join("\n");
  const half = borderWidth / 2;
  const box = [half, half, width - borderWidth, height - borderWidth].map(round).join(" ");
  const dash = look.borderStyle === "D" ? `[${look.dash.map(round).join(" ")}] 0 d ` : "";
  if (look.borderStyle === "U") {
    parts.push(`q ${border} ${round(borderWidth)} w 0 ${round(half)} m ${round(width)} ${round(half)} l S Q`);
  } else {
    if (look.borderStyle === "B" || look.borderStyle === "I") parts.push(drawShades(look));
    parts.push(`q ${border} ${round(borderWidth)} w ${dash}${box} re S Q`);
  }
  return parts.join("\n");
}

/** The light and dark inner edges of a beveled or inset border. */
function drawShades({ width, height, borderWidth: w, borderStyle }: WidgetLook): string {
  const [light, dark] = borderStyle === "B" ? ["1 g", "0.6 g"] : ["0.5 g", "0.75 g"];
  const path = (points: readonly (readonly [number, number])[]): string =>
    points.map(([x, y], index) => `${round(x)} ${round(y)} ${index === 0 ? "m" : "l"}`).join(" ");
  const upper = path([
    [w, w],
    [w, height - w],
    [width - w, height - w],
    [width - 2 * w, height - 2 * w],
    [2 * w, height - 2 * w],
    [2 * w, 2 * w],
  ]);
  const lower = path([
    [width - w, height - w],
    [width - w, w],
    [w, w],
    [2 * w, 2 * w],
    [width - 2 * w, 2 * w],
    [width - 2 * w, height - 2 * w],
  ]);
  return `q ${light} ${upper} f Q\nq ${dark} ${lower} f Q`;
}
