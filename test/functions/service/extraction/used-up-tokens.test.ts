/** Extraction whose tokens are used up on the way: what was made so far is the result. */
import { describe, expect, it } from "vitest";
import { layoutOf, run, USED_UP } from "./model-support.ts";

const NUMBER_SCHEMA = { type: "object", properties: { number: { type: "string" }, total: { type: "number" } } };
const SHORTFALL = { pointer: "", message: "The tokens are used up; buy more" };

const PARTS_SCHEMA = {
  type: "object",
  properties: {
    number: { type: "string" },
    lines: { type: "array", items: { type: "object", properties: { sku: { type: "string" } } } },
  },
};
const ORDER = layoutOf(["Order 4711", "SKU1 3.50", "SKU2 4.50"]);

describe("a run whose tokens are used up", () => {
  it("FAILS with the sentence before its first answer", async () => {
    const { error, model } = await run([{ number: "4711" }], { schema: NUMBER_SCHEMA, paidCalls: 0 });
    expect(error?.message).toBe(USED_UP);
    expect(model.requests).toEqual([]);
  });

  it("keeps an answer that it cannot repair, and names both", async () => {
    const { done, data, model } = await run([{ number: "4711", total: "none" }], {
      schema: NUMBER_SCHEMA,
      mode: "SIMPLE",
      paidCalls: 1,
    });
    expect(data).toEqual({ number: "4711" });
    expect(done?.status).toBe("PARTIAL");
    expect(done?.validationErrors).toEqual([SHORTFALL, expect.objectContaining({ pointer: "/total" })]);
    expect(model.requests).toHaveLength(1);
  });

  it("keeps the parts that were answered", async () => {
    const script = [{ document_type: "order", language: "en", groups: [] }, { number: "4711" }];
    const options = { schema: PARTS_SCHEMA, mode: "STEPS" as const, layout: ORDER };
    const { done, data, model } = await run(script, { ...options, paidCalls: 2 });
    expect(data).toEqual({ number: "4711" });
    expect(done).toMatchObject({ status: "PARTIAL", validationErrors: [SHORTFALL] });
    expect(model.requests).toHaveLength(2);
    expect((await run(script, { ...options, paidCalls: 1 })).error?.message).toBe(USED_UP);
  });

  it("is COMPLETED where nothing was left out", async () => {
    const { done } = await run([{ number: "4711", total: 5 }], { schema: NUMBER_SCHEMA, mode: "SIMPLE", paidCalls: 1 });
    expect(done).toMatchObject({ status: "COMPLETED", validationErrors: [] });
  });
});
