import type { Json } from "../../functions/ports/json.ts";
import type { Row, TrueRow } from "./articles.ts";
import type { GeneratedDocument } from "./documents.ts";
import type { ModelAnswer, ModelRequest } from "./model-server.ts";
import { type GivenRow, listOf } from "./nesting.ts";
import { seededRandom } from "./typeset.ts";

export interface Faults {
  name: string;
  /** Share of an answer's rows that are dropped. */
  drop: number;
  /** Share of an answer's pages whose rows are all dropped. */
  dropPages?: number;
  /** Share of an answer's sections whose rows are all dropped. */
  dropSections?: number;
  /** Share of an answer's rows that are dropped at its end. */
  tail?: number;
  /** Share of the rows that are given twice. */
  repeat?: number;
  /** Share of the answers that are cut off in the middle. */
  cut?: number;
  /** Replacement of each dropped row. */
  standIn?: StandIn;
  /** Prompts of the request; none restricts the rows. The model states that they do, for the rows that it loses. */
  prompts?: readonly string[];
}

type StandIn = "nulls" | "placeholders" | "made up";

/** A replacement with the members of a row. */
function standInFor(row: Row, kind: StandIn, at: number): Record<string, string | number | null> {
  const made = (value: string | number): string | number | null => {
    if (kind === "nulls") return null;
    if (kind === "placeholders") return typeof value === "number" ? 0 : "...";
    if (typeof value === "number") return Number.isInteger(value) ? 700_000 + at : 9_000_000.5 + at;
    return /^\d{4}-\d\d-\d\d$/.test(value) ? "1931-05-17" : `Quuxly Wyzzer ${90_000 + at}`;
  };
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, made(value)]));
}

/** A schema that accepts rows without values, as many schemas do. */
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

/** The member of an answer that states limits. */
const LIMITS_MEMBER = '"limits"';

const numbersIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);

/** Share of a row's values that a requested line must print to mean this row: recognition garbles some. */
const MIN_PRINTED_VALUE_SHARE = 0.6;

const spellings = (value: string | number): string[] =>
  typeof value === "number" ? [value.toFixed(2), String(value)] : [value];

/** The row that a line of a request means: the one with most of its values printed there. */
function rowOfLine(text: string, rows: readonly TrueRow[]): TrueRow | undefined {
  const plain = text.replaceAll(",", "");
  const shareOf = ({ row }: TrueRow): number => {
    const values = Object.values(row).map(spellings);
    return values.filter((forms) => forms.some((form) => plain.includes(form))).length / Math.max(1, values.length);
  };
  let best: TrueRow | undefined;
  let most = 0;
  for (const row of rows) {
    const share = shareOf(row);
    if (share > most) [best, most] = [row, share];
  }
  return most >= MIN_PRINTED_VALUE_SHARE ? best : undefined;
}

/** Plays the model of one document. */
export class LosingModel {
  readonly #document: GeneratedDocument;
  readonly #faults: Faults;
  readonly #next: () => number;
  readonly #byPage = new Map<string, TrueRow[]>();
  calls = 0;

  constructor(document: GeneratedDocument, faults: Faults, seed: number) {
    this.#document = document;
    this.#faults = faults;
    this.#next = seededRandom(seed);
    for (const [name, rows] of Object.entries(document.truth))
      for (const row of rows) {
        const key = `${name} ${row.page}`;
        const own = this.#byPage.get(key) ?? [];
        own.push(row);
        this.#byPage.set(key, own);
      }
  }

  /** The rows that are not dropped. */
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

  #plainly(value: unknown): ModelAnswer {
    return { text: JSON.stringify(value), cut: false };
  }

  #say(value: unknown): ModelAnswer {
    const { cut = 0 } = this.#faults;
    const text = JSON.stringify(value);
    if (this.#next() >= cut) return { text, cut: false };
    return { text: text.slice(0, Math.floor(text.length * (0.3 + 0.6 * this.#next()))), cut: true };
  }

  answer({ form, user }: ModelRequest): ModelAnswer {
    this.calls += 1;
    if (form === "plan") return this.#plainly({ document_type: "delivery record", language: "en", groups: [] });
    if (form === "corrections") return this.#plainly({ corrections: [] });
    if (form === "missing_rows") return this.#missing(user);
    const rows = /Extract the rows of the list "([^"]+)" that begin on the pages ([\d, ]+)/.exec(user);
    if (rows !== null) return this.#rows(rows[1] ?? "", numbersIn(rows[2] ?? ""));
    return this.#say(this.#excused(this.whole(), user));
  }

  /** The data beside false limits of its lists, each with a quotation of the prompt, where limits are asked for. */
  #excused(data: Record<string, unknown[]>, user: string): unknown {
    const prompt = this.#faults.prompts?.find((one) => user.includes(one));
    if (prompt === undefined || !user.includes(LIMITS_MEMBER)) return data;
    const limits = Object.entries(data).map(([name, rows]) => ({
      list: `/${name}`,
      limit: { count: rows.length, first_page: null, last_page: null, criterion: "those that matter" },
      reason: prompt,
    }));
    return { result: data, limits };
  }

  /** The rows of an answer, in their order. */
  #given(rows: readonly TrueRow[]): GivenRow[] {
    const { standIn } = this.#faults;
    const kept = this.#keep(rows);
    if (standIn === undefined) return kept;
    const there = new Set(kept);
    return rows.map((one, at) => (there.has(one) ? one : { ...one, row: standInFor(one.row, standIn, at) }));
  }

  /** An answer for the whole document. */
  whole(): Record<string, unknown[]> {
    const { truth } = this.#document;
    return Object.fromEntries(Object.entries(truth).map(([name, rows]) => listOf(name, this.#given(rows))));
  }

  #rows(name: string, pages: readonly number[]): ModelAnswer {
    const own = pages.flatMap((page) => this.#byPage.get(`${name} ${page}`) ?? []);
    return this.#say({ rows: this.#given(own).map(({ page, row }) => ({ page, row })) });
  }

  #missing(user: string): ModelAnswer {
    const name = /The list "([^"]+)" was extracted/.exec(user)?.[1] ?? "";
    const lines = [...user.matchAll(/^(\d+)\. page (\d+): (.*)$/gm)].map(([, line, page, text = ""]) => {
      const own = this.#byPage.get(`${name} ${page}`) ?? [];
      return { line: Number(line), page: Number(page), found: rowOfLine(text, own) };
    });
    // The model declares lines of no row as such.
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
