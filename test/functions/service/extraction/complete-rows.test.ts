/** Requests for rows that a scripted model leaves out, through a whole extraction. */

import { describe, expect, it } from "vitest";
import { parseSchema } from "../../../../functions/engine/schema/parsed-schema.ts";
import { planModelTask } from "../../../../functions/engine/tasks/plan-model.ts";
import { receiptTask } from "../../../../functions/engine/tasks/receipt.ts";
import { ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import type { ModelRequest } from "../../../../functions/ports/llm.ts";
import { extractWithModel } from "../../../../functions/service/extraction/extract-with-model.ts";
import { manualClock } from "../../../support/clock.ts";
import { directEngine } from "../../../support/engines.ts";
import { bytesOf, type Line, lineOf, linesOf, pagesOf, printed, SCHEMA } from "../../engine/completeness/tables.ts";
import { callsOf, cut, type Reply, type RunOptions, scriptedModel } from "./model-support.ts";

const ROWS = linesOf(20).map(printed);
const LAYOUT = bytesOf(pagesOf(ROWS.slice(0, 12), ROWS.slice(12)));

const isMissing = (request: ModelRequest): boolean =>
  request.format.kind === "json" && request.format.name === "missing_rows";
const userText = (request: ModelRequest): string => request.messages.map(({ text }) => text).join("\n");

/** The numbered rows of a request. */
const listed = (request: ModelRequest): { line: number; page: number; text: string }[] =>
  [...userText(request).matchAll(/^(\d+)\. page (\d+): (.*)$/gm)].map(([, line, page, text = ""]) => ({
    line: Number(line),
    page: Number(page),
    text,
  }));
const truthOf = (text: string): Line | undefined => linesOf(20).find(({ sku }) => text.includes(sku));
const giveAll = (request: ModelRequest): Reply => ({
  rows: listed(request).map(({ line, text }) => ({ line, row: truthOf(text) ?? null })),
});

async function complete(
  first: readonly Line[],
  answer: (request: ModelRequest, round: number) => Reply | Promise<Reply>,
  options: RunOptions & { layout?: Uint8Array; schema?: Json; prompt?: string } = {},
) {
  let round = 0;
  const model = scriptedModel((request) => {
    if (!isMissing(request)) return { lines: [...first] } as never;
    round += 1;
    return answer(request, round);
  }, options.facts);
  const { calls, limits, engine } = callsOf(model, options);
  const { layout = LAYOUT, schema = SCHEMA, prompt } = options;
  const request = { layout, schema, ...(prompt === undefined ? {} : { prompt }) };
  const done = await extractWithModel(request, { calls, engine, countsRows: true }, limits);
  const data = JSON.parse(new TextDecoder().decode(done.data)) as { lines: Line[] };
  return { done, lines: data.lines, model, calls, asked: model.requests.filter(isMissing) };
}

/** The schema without required members. */
const OPEN: Json = JSON.parse(JSON.stringify(SCHEMA).replace(',"required":["sku","amount"]', ""));

const lacking = (...gone: number[]): Line[] => linesOf(20).filter((_, at) => !gone.includes(at));

describe("missing rows of an answer", () => {
  it("are requested on their pages, and inserted in the order of the document", async () => {
    const { lines, asked, done, calls } = await complete(lacking(0, 14, 15), giveAll);
    expect(lines).toEqual(linesOf(20));
    expect(asked).toHaveLength(1);
    expect(listed(asked[0] as ModelRequest).map(({ page }) => page)).toEqual([1, 2, 2]);
    expect(done.status).toBe("COMPLETED");
    // Their tokens count for the run, and the trace has the round.
    expect(calls.uses()[0]?.promptTokens).toBe(200);
    expect(new TextDecoder().decode(done.trace)).toContain("missing-rows.v1");
  });

  it("are not requested when no row is missing", async () => {
    expect((await complete(linesOf(20), giveAll)).asked).toHaveLength(0);
  });

  it("are requested like any others for a prompt that limits their number", async () => {
    const { asked, lines } = await complete(linesOf(2), giveAll, { prompt: "Extract the first 5 items" });
    expect(asked).toHaveLength(1);
    expect(listed(asked[0] as ModelRequest)).toHaveLength(3);
    expect(lines).toEqual(linesOf(5));
    const everything = { prompt: "Extract ALL items from the document, do not skip any row." };
    expect((await complete(linesOf(2), giveAll, everything)).lines).toEqual(linesOf(20));
  });

  it("replace empty items", async () => {
    const nothing = { sku: null, name: null, quantity: null, amount: null };
    const first = linesOf(20).map((line, at) => (at % 4 === 0 ? line : nothing)) as Line[];
    const { lines } = await complete(first, giveAll, { schema: OPEN });
    expect(lines).toEqual(linesOf(20));
    const { lines: left } = await complete(first, () => ({ rows: [] }), { schema: OPEN });
    expect(left).toEqual(linesOf(20).filter((_, at) => at % 4 === 0));
  });

  it("on one page are requested without the other pages", async () => {
    const { asked } = await complete(lacking(13), giveAll);
    expect(userText(asked[0] as ModelRequest)).toContain("sheet b");
    expect(userText(asked[0] as ModelRequest)).not.toContain("sheet a");
  });

  it("are requested as long as rounds bring progress", async () => {
    const { lines, asked } = await complete([], (request) => {
      const rows = listed(request);
      return {
        rows: rows.slice(0, Math.ceil(rows.length / 2)).map(({ line, text }) => ({ line, row: truthOf(text) ?? null })),
      };
    });
    expect(lines).toEqual(linesOf(20));
    expect(asked.length).toBeGreaterThan(2);
    const { asked: idle, lines: none } = await complete(lacking(4), () => ({ rows: [] }));
    expect(none).toEqual(lacking(4));
    expect(idle).toHaveLength(2);
  });

  it("are requested in smaller parts after a cut-off answer", async () => {
    const { lines, asked } = await complete([], (request) =>
      listed(request).length > 15 ? cut('{"rows":[') : giveAll(request),
    );
    expect(lines).toHaveLength(20);
    expect(asked.length).toBeLessThan(8);
  });

  it("stay missing when the model fails or answers with other data", async () => {
    const answers: ((request: ModelRequest) => Reply)[] = [
      () => {
        throw new ServiceUnavailable("No model now");
      },
      () => ({ text: "I would rather not", finish: "stop" }),
      () => ({
        rows: [
          { line: 1, row: { name: "without its number" } },
          { line: 9, row: lineOf(4) },
          { line: "1", row: lineOf(4) },
        ],
      }),
      () => ({ rows: [{ line: 1, row: null }] }),
    ];
    for (const answer of answers) {
      const { lines, done } = await complete(lacking(4), answer);
      expect(lines).toEqual(lacking(4));
      expect(done.status).toBe("COMPLETED");
      const request = { granularity: "word" as const, schema: SCHEMA, declined: done.declined };
      const sources = Buffer.from(JSON.stringify(await sourcesOf(done.data)));
      const { receipt, short } = await directEngine.run(
        receiptTask,
        { layout: LAYOUT, result: done.data, sources, request },
        { deadline: 1 },
      );
      expect(short).toBe(true);
      expect(receipt).toMatchObject({ expected: 20, returned: 19, missingPages: "1" });
      expect(receipt?.missing[0]).toMatchObject({ pageNumber: 1, text: printed(lineOf(4)).join(" | ") });
    }
  });

  it("are not requested in the time reserved for later steps", async () => {
    const clock = manualClock();
    const slowly = (milliseconds: number) =>
      complete(lacking(4), giveAll, {
        clock,
        seconds: 300,
        engine: {
          run: async (task, payload, limits) => {
            if (task.name === planModelTask.name) clock.advance(milliseconds);
            return directEngine.run(task, payload, limits);
          },
        },
      });
    expect((await slowly(265_000)).asked).toHaveLength(1);
    expect((await slowly(275_000)).asked).toHaveLength(0);
  });

  it("are inserted once, also when a model returns them twice", async () => {
    const { lines } = await complete([...linesOf(20), lineOf(3), lineOf(3)], giveAll);
    expect(lines).toEqual(linesOf(20));
  });
});

async function sourcesOf(data: Uint8Array): Promise<unknown> {
  const { locateValues } = await import("../../../../functions/engine/grounding/locate-values.ts");
  const { parseLayout } = await import("../../../../functions/engine/layout/layout-file.ts");
  const value = JSON.parse(new TextDecoder().decode(data)) as Json;
  return locateValues(parseLayout(LAYOUT), value, { granularity: "word", schema: parseSchema(SCHEMA) }).sources;
}

describe("a cut-off answer for one page", () => {
  it("keeps its complete rows; the others are found missing", async () => {
    const layout = bytesOf(pagesOf(...Array.from({ length: 4 }, (_, at) => ROWS.slice(at * 5, at * 5 + 5))));
    const whole = (page: number): { page: number; row: Line }[] =>
      linesOf(20)
        .slice(page * 5 - 5, page * 5)
        .map((row) => ({ page, row }));
    const model = scriptedModel((request) => {
      if (isMissing(request)) return giveAll(request);
      const own = /that begin on the pages ([\d, ]+)/.exec(userText(request))?.[1]?.split(", ").map(Number);
      if (own === undefined) return cut('{"lines":[');
      if (own.length === 1 && own[0] !== 2) return { rows: whole(own[0] ?? 0) } as never;
      return cut(JSON.stringify({ rows: whole(2) }).slice(0, 200));
    });
    const { calls, limits, engine } = callsOf(model);
    const request = { layout, schema: SCHEMA, mode: "SIMPLE" as const };
    const done = await extractWithModel(request, { calls, engine, countsRows: true }, limits);
    expect(JSON.parse(new TextDecoder().decode(done.data))).toEqual({ lines: linesOf(20) });
    expect(done).toMatchObject({ status: "COMPLETED", validationErrors: [] });
  });
});
