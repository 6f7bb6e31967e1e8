/** poppler's programs, as yardsticks. */
import { spawnSync } from "node:child_process";
import type { PlacedText } from "./match.ts";

const MAX_OUTPUT_BYTES = 256 * 2 ** 20;

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const decodeEntities = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return ENTITIES[name ?? ""] ?? whole;
  });

function runPdftotext(args: readonly string[]): string {
  const { stdout, error } = spawnSync("pdftotext", args, { encoding: "utf8", maxBuffer: MAX_OUTPUT_BYTES });
  if (error !== undefined) throw error;
  return stdout;
}

/**
 * Also measures wall and CPU time of the process in milliseconds, in a shell: its start counts, our waiting does not.
 */
export function timePoppler(
  file: string,
  form: "-bbox" | "-bbox-layout",
): [html: string, { wall: number; cpu: number }] {
  const command = 'TIMEFORMAT="%3R %3U %3S"; time pdftotext "$@" 2>/dev/null';
  const shell = ["-c", command, "bash", "-q", form, "-cropbox", file, "-"];
  const { stdout, stderr, error } = spawnSync("bash", shell, { encoding: "utf8", maxBuffer: MAX_OUTPUT_BYTES });
  if (error !== undefined) throw error;
  const [real = Number.NaN, user = Number.NaN, system = Number.NaN] = stderr.trim().split(" ").map(Number);
  return [stdout, { wall: 1000 * real, cpu: 1000 * (user + system) }];
}

/** The words of all pages with their boxes as HTML, in poppler's reading order, from one process. */
export const popplerBoxes = (file: string): string => runPdftotext(["-q", "-bbox", "-cropbox", file, "-"]);

/** Parses the HTML of popplerBoxes into the words of each page; points become inches. */
export function parseBoxes(html: string): PlacedText[][] {
  return html
    .split(/<page /)
    .slice(1)
    .map((page) =>
      [
        ...page.matchAll(/<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)<\/word>/gs),
      ].map(([, left, top, right, bottom, text]) => ({
        text: decodeEntities(text ?? ""),
        box: {
          left: Number(left) / 72,
          top: Number(top) / 72,
          right: Number(right) / 72,
          bottom: Number(bottom) / 72,
        },
      })),
    );
}
