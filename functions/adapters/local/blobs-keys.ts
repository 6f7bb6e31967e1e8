/**
 * Maps blob keys to file paths. A key's segments become directories, its last one a file:
 *
 *   org/1/jobs/Übung.pdf   →   org/1/jobs/%c3%9cbung.pdf=
 *
 * Lower-case letters, digits, `_`, `-` and `.` are unchanged; every other byte of UTF-8 is `%xx`. So file systems that
 * fold case or normalise Unicode cannot merge two keys. Files end in `=`, directories do not, so `a` and `a/b` can both
 * exist. A segment too long for a file name continues in a directory that ends in `,`.
 */
import { join } from "node:path";

/** Common file systems allow 255 bytes; leaves room for a mark and for `safeName`. */
const MAX_NAME_BYTES = 200;

const FILE_MARK = "=";
const CONTINUED_MARK = ",";

/**
 * Text as its UTF-8 bytes, one character (U+0000 to U+00FF) per byte: `<` compares such strings in byte order, unlike
 * UTF-16 strings.
 */
export const toBytes = (text: string): string => Buffer.from(text, "utf8").toString("latin1");
export const fromBytes = (bytes: string): string => Buffer.from(bytes, "latin1").toString("utf8");

const escaped = (byte: string): string => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`;

/** Also escapes leading and trailing dots (hidden files; Windows drops trailing ones) and Windows' device names. */
function safeName(name: string): string {
  const dotted = name.replace(/^\.|\.$/g, escaped);
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/.test(dotted) ? escaped(dotted) + dotted.slice(1) : dotted;
}

/** The file names of a segment, outermost first; each but the last continues in the next. */
function namesOf(segment: string): string[] {
  const names = [""];
  for (const byte of toBytes(segment)) {
    const unit = /[a-z0-9_.-]/.test(byte) ? byte : escaped(byte);
    const name = names.pop() ?? "";
    if (name.length + unit.length > MAX_NAME_BYTES) names.push(name, unit);
    else names.push(name + unit);
  }
  return names.map((name, index) => safeName(name) + (index < names.length - 1 ? CONTINUED_MARK : ""));
}

/** The directory of whole segments below `root`; without segments, `root` itself. */
export const directoryOf = (root: string, segments: readonly string[]): string =>
  join(root, ...segments.flatMap(namesOf));

/** The file of a blob below `root`. @param key a checked key */
export const fileOf = (root: string, key: string): string => directoryOf(root, key.split("/")) + FILE_MARK;

/** Parses a directory entry into its part of the segment, as bytes; undefined for a foreign entry. */
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
