import type { Json } from "../../functions/ports/json.ts";
import type { Row, TrueRow } from "./articles.ts";
import type { GeneratedDocument } from "./documents.ts";
import type { Asked, Said } from "./model-server.ts";
import { type GivenRow, listOf } from "./nesting.ts";
import { random } from "./typeset.ts";

export interface Faults {
  name: string;
  /** Of the rows of an answer. */
  drop: number;
  /** Of the pages of an answer: all rows of them. */
  dropPages?: number;
  /** Of the sections of an answer: all rows of them. */
  dropSections?: number;
  /** Of the rows of an answer: the last ones. */
  tail?: number;
  /** Of the rows: given twice. */
  repeat?: number;
  /** Of the answers: cut off in the middle. */
  cut?: number;
  /** What it gives in place of each row that it drops. */
  standIn?: StandIn;
  /** It is told so; none of them restricts the rows. */
  prompts?: readonly string[];
}

type StandIn = "nulls" | "placeholders" | "made up";

/** A row that is none, of the same members. */
function standInOf(row: Row, kind: StandIn, at: number): Record<string, string | number | null> {
  const made = (value: string | number): string | number | null => {
    if (kind === "nulls") return null;
    if (kind === "placeholders") return typeof value === "number" ? 0 : "...";
    if (typeof value === "number") return Number.isInteger(value) ? 700_000 + at : 9_000_000.5 + at;
    return /^\d{4}-\d\d-\d\d$/.test(value) ? "1931-05-17" : `Quuxly Wyzzer ${90_000 + at}`;
  };
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, made(value)]));
}

/** A schema that takes rows without values, as many do. */
export const openSchema = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema), (key, value) =>
    key === "type" && (value === "string" || value === "number" || value === "integer")
      ? [value, "null"]
      : key === "format"
        ? undefined
        : Array.isArray(value) && key === "required"
          ? []
          : value,
  );

const numbersIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);

/** Of a row's values, so many must be printed on a line that means it: recognition spoils some. */
const MEANT = 0.6;

const spelled = (value: string | number): string[] =>
  typeof value === "number" ? [value.toFixed(2), String(value)] : [value];

/** What row a line of a request means: the one that most of its values are printed of. */
function rowOfLine(text: string, rows: readonly TrueRow[]): TrueRow | undefined {
  const plain = text.replaceAll(",", "");
  const shareOf = ({ row }: TrueRow): number => {
    const values = Object.values(row).map(spelled);
    return values.filter((forms) => forms.some((form) => plain.includes(form))).length / Math.max(1, values.length);
  };
  let best: TrueRow | undefined;
  let most = 0;
  for (const row of rows) {
    const share = shareOf(row);
    if (share > most) [best, most] = [row, share];
  }
  return most >= MEANT ? best : undefined;
}

/** Plays one document's model. `asked`: rows that were asked for in answers, to count the work. */
export class LosingModel {
  readonly #document: GeneratedDocument;
  readonly #faults: Faults;
  readonly #next: () => number;
  readonly #byPage = new Map<string, TrueRow[]>();
  calls = 0;

  constructor(document: GeneratedDocument, faults: Faults, seed: number) {
    this.#document = document;
    this.#faults = faults;
    this.#next = random(seed);
    for (const [name, rows] of Object.entries(document.truth))
      for (const row of rows) {
        const key = `${name} ${row.page}`;
        const own = this.#byPage.get(key) ?? [];
        own.push(row);
        this.#byPage.set(key, own);
      }
  }

  /** Rows that survive. */
  #keep(rows: readonly TrueRow[]): TrueRow[] {
    const { drop, dropPages = 0, dropSections = 0, tail = 0, repeat = 0 } = this.#faults;
    const last = Math.ceil(rows.length * (1 - tail));
    const lost = new Set([...new Set(rows.map(({ section }) => section))].filter(() => this.#next() < dropSections));
    const gone = new Set([...new Set(rows.map(({ page }) => page))].filter(() => this.#next() < dropPages));
    return rows.slice(0, last).flatMap((row) => {
      if (gone.has(row.page) || lost.has(row.section) || this.#next() < drop) return [];
      return this.#next() < repeat ? [row, row] : [row];
    });
  }

  #plainly(value: unknown): Said {
    return { text: JSON.stringify(value), cut: false };
  }

  #say(value: unknown): Said {
    const { cut = 0 } = this.#faults;
    const text = JSON.stringify(value);
    if (this.#next() >= cut) return { text, cut: false };
    return { text: text.slice(0, Math.floor(text.length * (0.3 + 0.6 * this.#next()))), cut: true };
  }

  answer({ form, user }: Asked): Said {
    this.calls += 1;
    if (form === "plan") return this.#plainly({ document_type: "delivery record", language: "en", groups: [] });
    if (form === "corrections") return this.#plainly({ corrections: [] });
    if (form === "missing_rows") return this.#missing(user);
    const rows = /Extract the rows of the list "([^"]+)" that begin on the pages ([\d, ]+)/.exec(user);
    if (rows !== null) return this.#rows(rows[1] ?? "", numbersIn(rows[2] ?? ""));
    return this.#say(this.whole());
  }

  /** What it gives of rows, in their order. */
  #given(rows: readonly TrueRow[]): GivenRow[] {
    const { standIn } = this.#faults;
    const kept = this.#keep(rows);
    if (standIn === undefined) return kept;
    const there = new Set(kept);
    return rows.map((one, at) => (there.has(one) ? one : { ...one, row: standInOf(one.row, standIn, at) }));
  }

  /** What it gives of everything. */
  whole(): Record<string, unknown[]> {
    const { truth } = this.#document;
    return Object.fromEntries(Object.entries(truth).map(([name, rows]) => listOf(name, this.#given(rows))));
  }

  #rows(name: string, pages: readonly number[]): Said {
    const own = pages.flatMap((page) => this.#byPage.get(`${name} ${page}`) ?? []);
    return this.#say({ rows: this.#given(own).map(({ page, row }) => ({ page, row })) });
  }

  #missing(user: string): Said {
    const name = /The list "([^"]+)" was extracted/.exec(user)?.[1] ?? "";
    const lines = [...user.matchAll(/^(\d+)\. page (\d+): (.*)$/gm)].map(([, line, page, text = ""]) => {
      const own = this.#byPage.get(`${name} ${page}`) ?? [];
      return { line: Number(line), page: Number(page), found: rowOfLine(text, own) };
    });
    // A line that is no row is said to be none.
    const none = lines.filter(({ found }) => found === undefined).map(({ line }) => ({ line, row: null }));
    const rows = lines.flatMap(({ line, page, found }) =>
      found === undefined ? [] : [{ line, page, row: found.row }],
    );
    const kept = new Map<number, Row>();
    for (const { row, line } of this.#keepLines(rows)) kept.set(line, row);
    return this.#say({ rows: [...none, ...[...kept].map(([line, row]) => ({ line, row }))] });
  }

  #keepLines(rows: readonly { line: number; page: number; row: Row }[]): { line: number; row: Row }[] {
    const kept = new Set(this.#keep(rows.map(({ page, row }) => ({ page, row }))).map(({ row }) => row));
    return rows.filter(({ row }) => kept.has(row));
  }
}
