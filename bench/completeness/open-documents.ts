/**
 * The open documents with tables whose rows are known, as read by the service, pictures recognised. Each list is given
 * as a complete answer, which must not be called short, and again without each of its rows in turn.
 */
import path from "node:path";
import type { Receipt } from "../../functions/engine/completeness/completeness-report.ts";
import { writeLayout } from "../../functions/engine/layout/layout-file.ts";
import { locateTask } from "../../functions/engine/tasks/locate.ts";
import { receiptTask } from "../../functions/engine/tasks/receipt.ts";
import type { Json } from "../../functions/ports/json.ts";
import { type BenchReader, openBenchReader } from "../offline/reading.ts";
import { engine } from "./measure-extraction.ts";
import { type OpenRow, type OpenTable, openTables } from "./open-truths.ts";

/** Rows left out in turn: of one list, and of all lists of a document. */
const MAX_TURNS_PER_LIST = 25;
const MAX_TURNS_PER_DOCUMENT = 60;

const LIMITS = { deadline: Number.POSITIVE_INFINITY };

function schemaOf(lines: readonly OpenRow[]): Json {
  const names = new Map<string, string>();
  for (const line of lines) for (const [name, value] of Object.entries(line)) names.set(name, typeof value);
  const properties = Object.fromEntries(
    [...names].map(([name, type]) => [name, { type: type === "number" ? "number" : "string" }]),
  );
  const items = { type: "object", properties };
  return { type: "object", properties: { lines: { type: "array", items } } };
}

export interface OpenOutcome {
  file: string;
  rows: number;
  /** Rows called missing in the complete answer. */
  falselyMissing: number;
  /** Answers without one row, and those of them that were called short by exactly one row. */
  turns: number;
  named: number;
  /** Answers without one row that were called complete. */
  silent: number;
  counted: boolean;
}

async function measureTable(layout: Uint8Array, { file, lines }: OpenTable, most: number): Promise<OpenOutcome> {
  const schema = schemaOf(lines);
  const receiptOf = async (rows: readonly OpenRow[]): Promise<Receipt | undefined> => {
    const result = Buffer.from(JSON.stringify({ lines: rows }));
    const { sources } = await engine.run(
      locateTask,
      { layout, result, request: { granularity: "auto", schema } },
      LIMITS,
    );
    const request = { granularity: "auto" as const, schema };
    return (await engine.run(receiptTask, { layout, result, sources, request }, LIMITS)).receipt;
  };
  const complete = await receiptOf(lines);
  const step = Math.max(1, Math.ceil(lines.length / most));
  const turns = [...lines.keys()].filter((at) => at % step === 0);
  let [named, silent] = [0, 0];
  for (const turn of turns) {
    const receipt = await receiptOf(lines.filter((_, at) => at !== turn));
    if (receipt === undefined || receipt.expected === receipt.returned) silent += 1;
    else if (receipt.expected - receipt.returned === 1) named += 1;
  }
  return {
    file,
    rows: lines.length,
    falselyMissing: complete === undefined ? 0 : complete.expected - complete.returned,
    turns: turns.length,
    named,
    silent,
    counted: complete?.lists[0]?.counted ?? false,
  };
}

export async function measureOpenTables(corpus: string): Promise<OpenOutcome[]> {
  const reader: BenchReader = openBenchReader(true);
  const outcomes: OpenOutcome[] = [];
  try {
    const files = Map.groupBy(await openTables(corpus), ({ file }) => file);
    for (const [file, tables] of files) {
      const layout = writeLayout((await reader.read(path.join(corpus, file))).layout);
      const most = Math.min(MAX_TURNS_PER_LIST, Math.ceil(MAX_TURNS_PER_DOCUMENT / tables.length));
      for (const table of tables) outcomes.push(await measureTable(layout, table, most));
    }
  } finally {
    await reader.close();
  }
  return outcomes;
}
