/** An empty list tells "none found" from "none there". */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

const LETTER = "Dear Ms Smith,\n\nthank you for your letter. We will come back to you next week.\n\nYours, John Doe\n";
const TABLE = "| sku | name | price |\n|---|---|---|\n| A1 | Bolt | 1.50 |\n| A2 | Nut | 0.50 |\n| A3 | Pin | 2.00 |\n";
const SCHEMA = { items: [{ sku: "string", name: "string", price: "number" }] };

describe("the receipt of an empty list", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  it.each([
    ["of a schema", { schema: SCHEMA }, { items: [] }, "/items"],
    ["of chunks", { schema: SCHEMA.items[0], mapReduce: { enabled: true } }, { records: [] }, "/records"],
  ])("%s says that nothing was counted for it", async (_what, command, data, pointer) => {
    const job = await service.api.processed(LETTER, command);
    expect(job).toMatchObject({ status: "COMPLETED", error: null });
    expect((await service.api.get(`/job/result/${job.guid}`)).json).toMatchObject(data);
    expect(job.receipt).toMatchObject({
      expected: 0,
      notes: [
        `${pointer} is empty, and no rows on the pages could be counted for it: none were found, but there may be some`,
      ],
      lists: [{ pointer, returned: 0, counted: false }],
    });
  });

  it("has no such sentence for a list with rows, or without a list", async () => {
    const full = await service.api.processed(TABLE, { schema: SCHEMA }, { type: "text/markdown" });
    expect(full.receipt).toMatchObject({ returned: 3 });
    expect(full.receipt).not.toHaveProperty("notes");
    expect(await service.api.processed(LETTER, { schema: { date: "date" } })).not.toHaveProperty("receipt");
  });

  it("has no such sentence for a general result, which nobody asked for a list", async () => {
    const { receipt } = await service.api.processed(LETTER, {});
    expect(receipt ?? {}).not.toHaveProperty("notes");
  });
});
