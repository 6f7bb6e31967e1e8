/** Colours for people at a terminal; plain text elsewhere, and with NO_COLOR (https://no-color.org). */
import type { Io } from "./io.ts";

/** The numbers of ECMA-48 that start and end a style. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Paint = Record<keyof typeof STYLES, (text: string) => string>;

/** True when a stream takes colours. */
export const takesColors = (stream: { isTTY: boolean }, env: Io["env"]): boolean =>
  stream.isTTY && !env.NO_COLOR && env.TERM !== "dumb";

/** Functions that style a text for a stream. */
export function paintFor(stream: { isTTY: boolean }, env: Io["env"]): Paint {
  const on = takesColors(stream, env);
  const styled = Object.entries(STYLES).map(([name, [start, end]]) => [
    name,
    (text: string): string => (on && text !== "" ? `\u001b[${start}m${text}\u001b[${end}m` : text),
  ]);
  return Object.fromEntries(styled) as Paint;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text of a document without the control characters that would steer a terminal; line ends and tabs stay. */
export const withoutControls = (text: string): string => text.replaceAll("\r\n", "\n").replaceAll(CONTROLS, "\ufffd");
