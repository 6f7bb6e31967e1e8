import { describe, expect, it } from "vitest";
import type { Json } from "../../../../functions/ports/json.ts";
import type { ModelRequest } from "../../../../functions/ports/llm.ts";
import { estimateTokens } from "../../../../functions/ports/llm-tokens.ts";
import { cut, decode, layoutOf, type Reply, run, scanOf, text } from "./model-support.ts";

const SCHEMA: Json = {
  type: "object",
  properties: {
    number: { type: "string" },
    seller: { type: "object", properties: { name: { type: "string" } } },
    order: {
      type: "object",
      properties: {
        reference: { type: "string" },
        lines: {
          type: "array",
          items: {
            type: "object",
            properties: { sku: { type: "string" }, amount: { type: "number" } },
            required: ["sku"],
          },
        },
      },
    },
  },
};

const systemOf = (request: ModelRequest): string => request.messages[0]?.text ?? "";
const userOf = (request: ModelRequest): string => request.messages[1]?.text ?? "";
const kindOf = (request: ModelRequest): "plan" | "fields" | "rows" | "verify" | "repair" => {
  if (systemOf(request).startsWith("You plan")) return "plan";
  if (systemOf(request).startsWith("You check")) return "verify";
  if (systemOf(request).startsWith("You correct")) return "repair";
  return userOf(request).includes("Extract the rows") ? "rows" : "fields";
};
const pagesIn = (request: ModelRequest): number[] =>
  [...userOf(request).matchAll(/<<<page (\d+)/g)].map((match) => Number(match[1]));

const PLAN = { document_type: "order", language: "en", groups: [] };

/** Rows as a model would read them; `SKU7 3.50` on page 2 is one row. */
const rowsOn = (request: ModelRequest): Json => {
  const wanted = /begin on the pages ([\d, ]+),/.exec(userOf(request))?.[1]?.split(", ").map(Number) ?? [];
  const parts = userOf(request)
    .split(/<<<page /)
    .slice(1);
  return parts.flatMap((part) => {
    const page = Number.parseInt(part, 10);
    if (!wanted.includes(page)) return [];
    return [...part.matchAll(/(SKU\d+) (\d+\.\d+)/g)].map((match) => ({
      page,
      row: { sku: match[1] ?? "", amount: Number(match[2]) },
    }));
  });
};

const document = (pages: number, rows: number): Uint8Array =>
  layoutOf(
    ...Array.from({ length: pages }, (_, page) => [
      page === 0 ? "Order 4711 of Acme Ltd reference R-1" : `Order 4711 page ${page + 1}`,
      ...Array.from({ length: rows }, (__, row) => `SKU${page * rows + row} ${((page * rows + row) / 4).toFixed(2)}`),
    ]),
  );

function answer(request: ModelRequest): Reply {
  switch (kindOf(request)) {
    case "plan":
      return PLAN;
    case "rows":
      return { rows: rowsOn(request) };
    case "fields":
      return { number: "4711", seller: { name: "Acme Ltd" }, order: { reference: "R-1" } };
    default:
      return { corrections: [] };
  }
}

type Order = { number: string; seller: Json; order: { reference: string; lines: { sku: string; amount: number }[] } };

describe("extraction in steps", () => {
  it("classifies, extracts by parts and joins rows in the document's order", async () => {
    const layout = document(9, 20);
    const { data, done, model } = await run(answer, {
      schema: SCHEMA,
      mode: "STEPS",
      layout,
      facts: { answerTokens: 3_000 },
    });
    expect(done).toMatchObject({ status: "COMPLETED", mode: "STEPS" });
    const order = data as Order;
    expect(order.number).toBe("4711");
    expect(order.order.reference).toBe("R-1");
    expect(order.order.lines.map(({ sku }) => sku)).toEqual(Array.from({ length: 180 }, (_, at) => `SKU${at}`));
    const kinds = model.requests.map(kindOf);
    expect(kinds[0]).toBe("plan");
    expect(kinds.filter((kind) => kind === "fields")).toHaveLength(1);
    expect(kinds.filter((kind) => kind === "rows").length).toBeGreaterThan(1);
    const rows = model.requests.filter((request) => kindOf(request) === "rows");
    // Every page is requested once; the page before a part is sent with it.
    const own = rows.map((request) => /begin on the pages ([\d, ]+),/.exec(userOf(request))?.[1] ?? "");
    expect(own.join(", ")).toBe("1, 2, 3, 4, 5, 6, 7, 8, 9");
    expect(pagesIn(rows[1] as ModelRequest)[0]).toBe(Number(own[1]?.split(", ")[0]) - 1);
    expect(userOf(rows[0] as ModelRequest)).toContain("order, language en");
  });

  it("is chosen for many pages, with the reason", async () => {
    const { done } = await run(answer, { schema: SCHEMA, layout: document(13, 2) });
    expect(done?.mode).toBe("STEPS");
    const trace = decode(done?.trace) as { extraction_mode: string; events: { type: string; response: string }[] };
    expect(trace.extraction_mode).toBe("STEPS");
    const chosen = JSON.parse(trace.events.find(({ type }) => type === "chain_start")?.response ?? "{}");
    expect(chosen.reason).toMatch(/^STEPS: more than 12 pages \(5 fields, 13 pages, about [\d,]+ tokens\)$/);
  });

  it("is chosen for an answer too long for one call, and not for a short one", async () => {
    const reasonOf = async (options: Parameters<typeof run>[1]) => {
      const { done } = await run(answer, { schema: SCHEMA, ...options });
      const trace = decode(done?.trace) as { events: { type: string; response: string }[] };
      return JSON.parse(trace.events.find(({ type }) => type === "chain_start")?.response ?? "{}").reason as string;
    };
    expect(await reasonOf({ layout: document(4, 60), facts: { answerTokens: 3_000 } })).toMatch(
      /^STEPS: one answer would be about/,
    );
    expect(await reasonOf({ layout: document(2, 3) })).toMatch(
      /^SIMPLE: 5 fields, 2 pages, about \d+ tokens fit one pass$/,
    );
    const many = Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`f${at}`, { type: "string" }]));
    expect(await reasonOf({ layout: document(1, 1), schema: { type: "object", properties: many } })).toMatch(
      /^STEPS: more than 60 fields/,
    );
    expect(await reasonOf({ layout: document(1, 1), mode: "SIMPLE" })).toMatch(/^SIMPLE was asked for/);
  });

  it("sends each group its planned pages, and all pages when those had no values", async () => {
    const { data, model } = await run(
      (request) => {
        if (kindOf(request) === "plan") return { ...PLAN, groups: [{ id: "fields-1", pages: [7] }] };
        if (kindOf(request) === "fields")
          return pagesIn(request).includes(1)
            ? { number: "4711", seller: null, order: null }
            : { number: null, seller: null, order: null };
        return answer(request);
      },
      { schema: SCHEMA, mode: "STEPS", layout: document(10, 1) },
    );
    const fields = model.requests.filter((request) => kindOf(request) === "fields");
    expect(fields.map(pagesIn)).toEqual([
      [6, 7, 8],
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    ]);
    expect((data as Order).number).toBe("4711");
  });

  it("verifies values that are not in the text", async () => {
    const schema: Json = {
      type: "object",
      properties: {
        number: { type: "string" },
        city: { type: "string" },
        total: { type: "number" },
        date: { type: "string", format: "date" },
        kind: { enum: ["order", "invoice"] },
      },
    };
    const layout = scanOf(["Order 4711", "Date 5.3.2024", "Sum 1.234,50"]);
    const image = { mimeType: "image/jpeg" as const, bytes: new Uint8Array(4) };
    const { data, done, model } = await run(
      (request) => {
        if (kindOf(request) === "plan") return PLAN;
        if (kindOf(request) === "verify") {
          return {
            corrections: [
              { pointer: "/city", stated: false, value: "null" },
              { pointer: "/total", stated: true, value: "1234.5" },
              { pointer: "/number", stated: true, value: '"0"' },
            ],
          };
        }
        return { number: "4711", city: "Atlantis", total: 9999, date: "2024-03-05", kind: "invoice" };
      },
      { schema, mode: "STEPS", layout, facts: { takesImages: true }, pictureOf: async () => image },
    );
    expect(data).toEqual({ number: "4711", total: 1234.5, date: "2024-03-05", kind: "invoice" });
    expect(done?.status).toBe("COMPLETED");
    const verify = model.requests.find((request) => kindOf(request) === "verify");
    expect(userOf(verify as ModelRequest)).toContain(
      '[{"pointer":"/city","value":"Atlantis"},{"pointer":"/total","value":9999}]',
    );
    expect(verify?.messages[1]).toHaveProperty("images", [image]);
  });

  it("splits a request with a cut-off answer, once", async () => {
    let cuts = 0;
    const layout = document(4, 4);
    const { data, done } = await run(
      (request) => {
        if (kindOf(request) === "rows" && pagesIn(request).length > 3) {
          cuts += 1;
          return cut('{"rows":[');
        }
        return answer(request);
      },
      { schema: SCHEMA, mode: "STEPS", layout },
    );
    expect(cuts).toBe(1);
    expect(done?.status).toBe("COMPLETED");
    expect((data as Order).order.lines).toHaveLength(16);
    const always = await run((request) => (kindOf(request) === "rows" ? cut("{") : answer(request)), {
      schema: SCHEMA,
      mode: "STEPS",
      layout,
    });
    expect(always.error?.message).toMatch(/was cut off at its greatest length/);
  });

  it("continues without an unreadable plan or verification", async () => {
    const { data, done } = await run(
      (request) =>
        ["plan", "verify"].includes(kindOf(request))
          ? text("no idea")
          : { number: "not printed anywhere", seller: null, order: null, rows: [] },
      { schema: SCHEMA, mode: "STEPS", layout: document(1, 1) },
    );
    expect(done?.status).toBe("COMPLETED");
    expect(data).toMatchObject({ number: "not printed anywhere" });
  });

  it("repeats the request of a part that was not JSON", async () => {
    let first = true;
    const { done, model } = await run(
      (request) => {
        if (kindOf(request) === "rows" && first) {
          first = false;
          return text("There are many rows");
        }
        return answer(request.messages.length > 2 ? { ...request, messages: request.messages.slice(0, 2) } : request);
      },
      { schema: SCHEMA, mode: "STEPS", layout: document(2, 2) },
    );
    expect(done?.status).toBe("COMPLETED");
    expect(model.requests.filter((request) => request.messages.length > 2)).toHaveLength(1);
  });

  it("starts no further request after a failure", async () => {
    const { error, model } = await run(
      (request) => {
        if (kindOf(request) === "plan") return PLAN;
        return { finish: "refusal", text: "no" };
      },
      { schema: SCHEMA, mode: "STEPS", layout: document(40, 30), facts: { answerTokens: 2_000 } },
    );
    expect(error?.message).toBe("Processing failed: The model refused to answer");
    expect(model.requests.length).toBeLessThanOrEqual(5);
  });
});

describe("extraction of a document that is longer than the model's context", () => {
  /** Sixteen pages for a model of unknown size: it takes some at a time. */
  const layout = document(16, 60);
  const facts = { contextTokens: 8_000, answerTokens: 2_000 };
  const reasonOf = (trace: Uint8Array | undefined): string => {
    const { events } = decode(trace) as { events: { type: string; response: string }[] };
    return JSON.parse(events.find(({ type }) => type === "chain_start")?.response ?? "{}").reason;
  };
  const isWithinContext = ({ messages }: ModelRequest): boolean =>
    messages.reduce((sum, message) => sum + estimateTokens(message.text), 0) < facts.contextTokens;

  it("goes by pages, in STEPS and by default, and says so in the trace", async () => {
    for (const mode of [{}, { mode: "STEPS" }] as const) {
      const { data, done, model } = await run(answer, { schema: SCHEMA, layout, facts, ...mode });
      expect(done).toMatchObject({ status: "COMPLETED", mode: "STEPS" });
      const order = data as Order;
      expect(order.number).toBe("4711");
      expect(order.order.lines.map(({ sku }) => sku)).toEqual(Array.from({ length: 960 }, (_, at) => `SKU${at}`));
      expect(model.requests.every(isWithinContext)).toBe(true);
      const fields = model.requests.filter((request) => kindOf(request) === "fields");
      expect(fields.flatMap(pagesIn)).toEqual(Array.from({ length: 16 }, (_, at) => at + 1));
      expect(userOf(fields[0] as ModelRequest)).toContain("The document has 16 pages; above are only these: 1, 2");
      expect(reasonOf(done?.trace)).toMatch(
        /^STEPS: the document is too long for one request \(about \d,\d{3} tokens of at most \d,\d{3}\); its pages go into \d+ requests$/,
      );
    }
  });

  it("joins the answers where the schema cannot be split, and halves the pages of a cut-off one", async () => {
    const list: Json = { type: "array", items: { type: "object", properties: { sku: { type: "string" } } } };
    const { data, done } = await run(
      (request) => {
        if (kindOf(request) === "plan") return PLAN;
        if (pagesIn(request).length > 2) return cut('{"result": [');
        return { result: [...userOf(request).matchAll(/^(SKU\d+) /gm)].map(([, sku = ""]) => ({ sku })) };
      },
      { schema: list, layout, facts },
    );
    expect(done?.status).toBe("COMPLETED");
    expect((data as { sku: string }[]).map(({ sku }) => sku)).toEqual(
      Array.from({ length: 960 }, (_, at) => `SKU${at}`),
    );
  });

  it("fails for a page that alone is too long, which it names, without a request", async () => {
    const long = layoutOf(
      ["short page"],
      Array.from({ length: 900 }, (_, at) => `line ${at} of a very long page`),
    );
    const { error, model } = await run(answer, { schema: SCHEMA, layout: long, facts });
    expect(error?.message).toMatch(
      /^Processing failed: Page 2 is too long for the model, which has room for about \d,\d{3} tokens of a page; use a model with a larger context, or choose other pages by pageRange$/,
    );
    expect(model.requests).toHaveLength(0);
  });
});
