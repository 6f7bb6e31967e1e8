/** Cell styles of a workbook: what kind of value their number formats show, and new ones for dates. */
import { builtInFormat, NumberFormat } from "../../readers/office/xlsx/cell-format.ts";
import { childNode, parseSource, SourceEdits, withAttributes, type XmlNode } from "./xml-source.ts";

/** What a number format shows. */
export type FormatKind = "general" | "number" | "date" | "text";

/** Formats of cells that have none and get a date: the date reads as it was sent. */
const DATE_FORMAT = "yyyy-mm-dd";
const MOMENT_FORMAT = "yyyy-mm-dd hh:mm:ss";
/** Ids below are built in. */
const FIRST_OWN_FORMAT = 164;

function kindOf(code: string): FormatKind {
  if (/^general$/i.test(code) || code === "") return "general";
  if (code.trim() === "@") return "text";
  if (new NumberFormat(code).isDate) return "date";
  return /[0#?]/.test(code) ? "number" : "general";
}

export class CellStyles {
  readonly #edits: SourceEdits;
  readonly #root: XmlNode | undefined;
  readonly #kinds: FormatKind[] = [];
  readonly #codes = new Map<number, string>();
  /** New styles by the one they are made from and their format. */
  readonly #made = new Map<string, number>();
  readonly #added: string[] = [];
  readonly #formats = new Map<string, number>();

  /** @param xml the workbook's styles; undefined without any */
  constructor(xml: string | undefined) {
    this.#edits = new SourceEdits(xml ?? "");
    this.#root = xml === undefined ? undefined : parseSource(xml).children[0];
    for (const node of childNode(this.#root, "numFmts")?.children ?? []) {
      const attributes = this.#edits.attributes(node);
      this.#codes.set(Number(attributes.get("numFmtId")), attributes.get("formatCode") ?? "");
    }
    const kinds = new Map<number, FormatKind>();
    for (const node of this.#styles()) {
      const id = Number(this.#edits.attributes(node).get("numFmtId") ?? 0);
      const kind = kinds.get(id) ?? kindOf(this.#codes.get(id) ?? builtInFormat(id));
      kinds.set(id, kind);
      this.#kinds.push(kind);
    }
  }

  #styles(): readonly XmlNode[] {
    return childNode(this.#root, "cellXfs")?.children ?? [];
  }

  kind(style: number): FormatKind {
    return this.#kinds[style] ?? "general";
  }

  /** A style that shows dates and is else as this one. @returns undefined for a workbook without styles */
  dateStyle(style: number, withTime: boolean): number | undefined {
    const node = this.#styles()[style];
    if (node === undefined) return undefined;
    const key = `${style} ${withTime}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const source = this.#edits.xml.slice(node.start, node.end);
    const tag = this.#edits.startTag(node);
    const numFmtId = String(this.#format(withTime ? MOMENT_FORMAT : DATE_FORMAT));
    this.#added.push(withAttributes(tag, { numFmtId, applyNumberFormat: "1" }) + source.slice(tag.length));
    const made = this.#styles().length + this.#added.length - 1;
    this.#made.set(key, made);
    return made;
  }

  #format(code: string): number {
    const stated = [...this.#codes].find(([, known]) => known.toLowerCase() === code)?.[0];
    const known = stated ?? this.#formats.get(code);
    if (known !== undefined) return known;
    const id = Math.max(FIRST_OWN_FORMAT - 1, ...this.#codes.keys(), ...this.#formats.values()) + 1;
    this.#formats.set(code, id);
    return id;
  }

  /** The changed part; undefined when nothing was added. */
  written(): string | undefined {
    const styles = childNode(this.#root, "cellXfs");
    if (this.#added.length === 0 || styles === undefined || this.#root === undefined) return undefined;
    const prefix = styles.tag.slice(0, styles.tag.length - styles.name.length);
    const formats = [...this.#formats]
      .map(([code, id]) => `<${prefix}numFmt numFmtId="${id}" formatCode="${code}"/>`)
      .join("");
    const stated = childNode(this.#root, "numFmts");
    if (stated !== undefined && formats !== "") {
      this.#edits.setAttributes(stated, { count: String(stated.children.length + this.#formats.size) });
      if (stated.contentStart !== stated.end) this.#edits.append(stated, formats);
    } else if (formats !== "") {
      const wrapped = `<${prefix}numFmts count="${this.#formats.size}">${formats}</${prefix}numFmts>`;
      this.#edits.replace(this.#root.contentStart, this.#root.contentStart, wrapped);
    }
    this.#edits.setAttributes(styles, { count: String(styles.children.length + this.#added.length) });
    this.#edits.append(styles, this.#added.join(""));
    return this.#edits.apply();
  }
}
