/**
 * Blob keys and the paths they stand under. A key's segments become directories, its last one a file:
 *
 *   org/1/jobs/Übung.pdf   →   org/1/jobs/%c3%9cbung.pdf=
 *
 * Lower-case letters, digits, `_`, `-` and `.` stand for themselves; every other byte of UTF-8 is `%xx`. So no file
 * system that folds case or normalises Unicode can take two keys for one. Files end in `=`, directories do not, so `a`
 * and `a/b` both exist. A segment too long for a file name goes on inside a directory that ends in `,`.
 */
import { join } from "node:path";

/** File names have 255 bytes on every common file system; room for a mark and for `safeName`. */
const NAME_LENGTH = 200;

const FILE_MARK = "=";
const CONTINUED_MARK = ",";

/**
 * Text as its UTF-8 bytes, one character (U+0000 to U+00FF) a byte: such strings compare with `<` in byte order, which
 * UTF-16 strings do not.
 */
export const toBytes = (text: string): string => Buffer.from(text, "utf8").toString("latin1");
export const fromBytes = (bytes: string): string => Buffer.from(bytes, "latin1").toString("utf8");

const escaped = (byte: string): string => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`;

/** Dots at either end (hidden files; Windows drops them at the end) and Windows' device names are escaped too. */
function safeName(name: string): string {
  const dotted = name.replace(/^\.|\.$/g, escaped);
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/.test(dotted) ? escaped(dotted) + dotted.slice(1) : dotted;
}

/** The names that a segment takes, outermost first; all but the last are continued in the next. */
function namesOf(segment: string): string[] {
  const names = [""];
  for (const byte of toBytes(segment)) {
    const unit = /[a-z0-9_.-]/.test(byte) ? byte : escaped(byte);
    const name = names.pop() ?? "";
    if (name.length + unit.length > NAME_LENGTH) names.push(name, unit);
    else names.push(name + unit);
  }
  return names.map((name, index) => safeName(name) + (index < names.length - 1 ? CONTINUED_MARK : ""));
}

/** The directory below `root` of whole segments (none: the root itself). */
export const directoryOf = (root: string, segments: readonly string[]): string =>
  join(root, ...segments.flatMap(namesOf));

/** The file below `root` that holds a blob. @param key a checked key */
export const fileOf = (root: string, key: string): string => directoryOf(root, key.split("/")) + FILE_MARK;

/** What an entry of a directory stands for, its part of the segment as bytes; undefined: nothing of ours. */
export function readName(
  name: string,
  isDirectory: boolean,
): { kind: "blob" | "directory" | "continued"; bytes: string } | undefined {
  const parts = /^((?:[a-z0-9_.-]|%[0-9a-f]{2})+)([=,]?)$/.exec(name);
  if (parts === null || name.startsWith(".")) return undefined;
  const [, escapedBytes = "", mark = ""] = parts;
  const bytes = escapedBytes.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  if (mark === FILE_MARK) return isDirectory ? undefined : { kind: "blob", bytes };
  if (!isDirectory) return undefined;
  return { kind: mark === CONTINUED_MARK ? "continued" : "directory", bytes };
}
