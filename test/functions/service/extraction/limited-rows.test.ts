/** Limits of rows that a scripted model states beside its data, from its answer to the receipt. */
import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../../functions/engine/completeness/completeness-report.ts";
import { locateValues } from "../../../../functions/engine/grounding/locate-values.ts";
import { parseLayout } from "../../../../functions/engine/layout/layout-file.ts";
import { receiptTask } from "../../../../functions/engine/tasks/receipt.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import type { ModelRequest } from "../../../../functions/ports/llm.ts";
import { extractWithModel } from "../../../../functions/service/extraction/extract-with-model.ts";
import { directEngine } from "../../../support/engines.ts";
import { bytesOf, type Line, linesOf, pagesOf, printed, SCHEMA } from "../../engine/completeness/tables.ts";
import { callsOf, type Reply, scriptedModel } from "./model-support.ts";

const ROWS = linesOf(20).map(printed);
const LAYOUT = bytesOf(pagesOf(ROWS.slice(0, 12), ROWS.slice(12)));
const PROMPT = "Read the note carefully. Only lines with an amount over 10.";
const REASON = "Only lines with an amount over 10";
const isWanted = ({ amount }: Line): boolean => amount > 10;

type Limit = { count?: number; first_page?: number; last_page?: number; criterion?: string };
const limits = (limit: Limit, reason = REASON): Json => [
  { list: "/lines", limit: { count: null, first_page: null, last_page: null, criterion: null, ...limit }, reason },
];
const CRITERION = limits({ criterion: "amount over 10" });

const formOf = ({ format }: ModelRequest): string => (format.kind === "json" ? format.name : format.kind);
const textOf = (request: ModelRequest): string => request.messages.map(({ text }) => text).join("\n");
/** The lines of a request for missing rows, each with its row. */
const listed = (request: ModelRequest): { line: number; row: Line | undefined }[] =>
  [...textOf(request).matchAll(/^(\d+)\. page \d+: (.*)$/gm)].map(([, line, text = ""]) => ({
    line: Number(line),
    row: linesOf(20).find(({ sku }) => text.includes(sku)),
  }));
/** Gives the missing rows that are wanted, and rejects the others. */
const judge = (request: ModelRequest): Reply => ({
  rows: listed(request).map(({ line, row }) => ({ line, row: row !== undefined && isWanted(row) ? row : null })),
});

interface Play {
  first: (request: ModelRequest) => Json;
  missing?: (request: ModelRequest) => Reply;
  prompt?: string;
  schema?: Json;
  mode?: "SIMPLE" | "STEPS";
}

async function play({ first, missing = judge, prompt = PROMPT, schema = SCHEMA, mode = "SIMPLE" }: Play) {
  const model = scriptedModel((request) => {
    if (formOf(request) === "missing_rows") return missing(request);
    if (formOf(request) === "plan") return { document_type: "note", language: "en", groups: [] };
    return first(request) as Reply;
  });
  const { calls, limits: time, engine } = callsOf(model);
  const request = { layout: LAYOUT, schema, mode, ...(prompt === "" ? {} : { prompt }) };
  const done = await extractWithModel(request, { calls, engine, countsRows: true }, time);
  const data = JSON.parse(new TextDecoder().decode(done.data)) as { lines: Line[] };
  const { sources } = locateValues(parseLayout(LAYOUT), data, { granularity: "word" });
  const report = await directEngine.run(
    receiptTask,
    {
      layout: LAYOUT,
      result: done.data,
      sources: Buffer.from(JSON.stringify(sources)),
      request: {
        granularity: "word",
        schema,
        declined: done.declined,
        stated: done.stated,
        ...(prompt === "" ? {} : { prompt }),
      },
    },
    { deadline: 1 },
  );
  const asked = model.requests.filter((one) => formOf(one) === "missing_rows");
  return { done, lines: data.lines, short: report.short, list: listOf(report.receipt), asked, model };
}

const listOf = (receipt: Receipt | undefined): Receipt["lists"][number] | undefined => receipt?.lists[0];
const some = (...at: number[]): Line[] => linesOf(20).filter((_, index) => at.includes(index));
const WANTED = linesOf(20).filter(isWanted);

describe("a criterion that a model states", () => {
  it("is complete after each row is given or rejected, asked for with its words", async () => {
    const { lines, short, list, asked } = await play({
      first: () => ({ result: { lines: WANTED.slice(1) as never }, limits: CRITERION }),
    });
    expect(asked).toHaveLength(1);
    expect(textOf(asked[0] as ModelRequest)).toContain(`null as the row of every line that does not:\n${REASON}`);
    expect(lines).toEqual(WANTED);
    expect(short).toBe(false);
    expect(list).toMatchObject({ restricted: true, expected: WANTED.length, returned: WANTED.length });
  });

  it("excuses no row that the model neither gives nor rejects", async () => {
    const { lines, short, list } = await play({
      first: () => ({ result: { lines: WANTED.slice(2) as never }, limits: CRITERION }),
      missing: () => ({ rows: [] }),
    });
    expect(lines).toEqual(WANTED.slice(2));
    expect(short).toBe(true);
    expect(list).toMatchObject({ restricted: true, expected: 20 });
  });

  it("of a description counts like one of the prompt", async () => {
    const schema = JSON.parse(JSON.stringify(SCHEMA)) as { properties: { lines: { description?: string } } };
    schema.properties.lines.description = REASON;
    const { lines, short, model } = await play({
      first: () => ({ result: { lines: WANTED.slice(1) as never }, limits: CRITERION }),
      prompt: "",
      schema: schema as never,
    });
    expect(model.asked(0)).toContain('"limits"');
    expect([lines, short]).toEqual([WANTED, false]);
  });

  it("is stated with the rows of pages, in steps", async () => {
    const { lines, short, list } = await play({
      mode: "STEPS",
      first: (request) => {
        const own = /that begin on the pages ([\d, ]+)/.exec(textOf(request))?.[1]?.split(", ").map(Number) ?? [];
        const rows = linesOf(20).flatMap((row, at) => {
          const page = at < 12 ? 1 : 2;
          return own.includes(page) && isWanted(row) ? [{ page, row }] : [];
        });
        return { rows: rows.slice(1) as never, limits: CRITERION };
      },
    });
    expect([lines, short]).toEqual([WANTED, false]);
    expect(list?.restricted).toBe(true);
  });
});

describe("limits that hold back no rows", () => {
  const all = linesOf(20);
  /** Gives every row that it is asked for. */
  const giveAll = (request: ModelRequest): Reply => ({
    rows: listed(request).map(({ line, row = null }) => ({ line, row })),
  });
  const rejectAll = (request: ModelRequest): Reply => ({
    rows: listed(request).map(({ line }) => ({ line, row: null })),
  });

  it.each<[string, Json | undefined]>([
    ["without a quotation", limits({ criterion: "amount" }, "The sender wants few lines")],
    ["of the document's own words", limits({ criterion: "sheet" }, "Delivery note, sheet a")],
    ["of another list", [{ list: "/parts", limit: { count: 2 }, reason: REASON }]],
    ["that are no limits", ["lines", 3, null, { list: "/lines" }]],
    ["that are no list", "only some"],
    ["that are absent", undefined],
  ])("%s: the model rejects its lost rows in vain", async (_, stated) => {
    const answer = {
      result: { lines: some(0, 1, 5, 13) as never },
      ...(stated === undefined ? {} : { limits: stated }),
    };
    const { short, list } = await play({ first: () => answer, missing: rejectAll });
    expect(short).toBe(true);
    expect(list).toMatchObject({ expected: 20, returned: 4 });
    expect(list).not.toHaveProperty("restricted");
  });

  it("of a count that its words do not have, or its rows exceed: the rows are asked for", async () => {
    for (const [prompt, reason, count] of [
      ["Amounts with 2 decimals, all lines.", "Amounts with 2 decimals", 2],
      ["Read all lines, please.", "Read all lines", 4],
    ] as const) {
      const answer = { result: { lines: some(0, 1, 5, 13) as never }, limits: limits({ count }, reason) };
      const { lines, short } = await play({ first: () => answer, missing: giveAll, prompt });
      expect([lines, short]).toEqual([all, false]);
      expect((await play({ first: () => answer, missing: () => ({ rows: [] }), prompt })).short).toBe(true);
    }
  });
});

describe("counts and pages that a model states", () => {
  it("limit the rows in words that only a reader understands", async () => {
    const prompt = "Poproszę tylko pierwsze 5 pozycji z tego dokumentu";
    const answer = (count: number): Json => ({
      result: { lines: linesOf(20).slice(0, count) as never },
      limits: limits({ count: 5 }, prompt),
    });
    expect(await play({ first: () => answer(5), prompt })).toMatchObject({ short: false, asked: [] });
    const lacking = await play({ first: () => answer(4), missing: () => ({ rows: [] }), prompt });
    // A list that lacks some of the stated number proves that its rows were lost: each other row must be rejected.
    expect(lacking).toMatchObject({ short: true, list: { restricted: true, expected: 20, returned: 4 } });
    expect(textOf(lacking.asked[0] as ModelRequest)).toContain("it has 4 already");
  });

  it("limit the rows to pages", async () => {
    const prompt = "Tylko pozycje ze strony 2";
    const answer = (from: number): Json => ({
      result: { lines: linesOf(20).slice(from) as never },
      limits: limits({ first_page: 2, last_page: 2 }, prompt),
    });
    expect(await play({ first: () => answer(12), prompt })).toMatchObject({ short: false, asked: [] });
    const lacking = await play({ first: () => answer(13), missing: () => ({ rows: [] }), prompt });
    expect(lacking).toMatchObject({ short: true, list: { restricted: true, expected: 8, returned: 7 } });
  });

  it("are not asked for where nothing may limit rows", async () => {
    const { model } = await play({ first: () => ({ lines: linesOf(20) as never }), prompt: "" });
    expect(model.asked(0)).not.toContain('"limits"');
    expect(JSON.stringify(model.requests[0]?.format)).not.toContain('"limits"');
  });

  it("are understood from plain words where the model states none", async () => {
    const prompt = "Extract the first 5 items";
    const { lines, short, asked } = await play({
      first: () => ({ lines: linesOf(2) as never }),
      missing: (request) => ({ rows: listed(request).map(({ line, row = null }) => ({ line, row })) }),
      prompt,
    });
    expect(listed(asked[0] as ModelRequest)).toHaveLength(3);
    expect([lines, short]).toEqual([linesOf(5), false]);
  });
});
