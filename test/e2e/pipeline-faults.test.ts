/** Every malformed definition of the table is refused at the door: a 400 whose paths point at its faults; nothing starts. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RecordOperation, Records } from "../../functions/ports/records.ts";
import { FAULTS } from "../statemachines/pipeline/faults.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** Partitions that a start writes to: machines, executions, what runs and what is open. */
const STARTS = /^sys\/(?:machines|executions|running|open-runs|due)/;
const started: string[] = [];

/** Notes every write that a start makes. */
const noting = (records: Records): Records =>
  new Proxy(records, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name, object);
      if (typeof member !== "function") return member;
      return (...given: unknown[]) => {
        const operations = name === "transact" ? (given[0] as RecordOperation[]) : [];
        const written = name === "put" || name === "add" ? [given[0] as { partition: string }] : [];
        const keys = [...written, ...operations.flatMap((one) => ("key" in one ? [one.key] : []))];
        started.push(...keys.map(({ partition }) => partition).filter((partition) => STARTS.test(partition)));
        return Reflect.apply(member, object, given);
      };
    },
  });

let target: TestService;
let guid: string;
beforeAll(async () => {
  target = await startTestService({ wrap: ({ records, blobs }) => ({ records: noting(records), blobs }) });
  guid = await target.api.upload("Total: 12.00 EUR", { name: "a.txt", type: "text/plain" });
});
afterAll(() => target.close());

const process = (pipeline: unknown) =>
  target.api.post(`/document/process/${guid}`, { json: { extractionMode: "PIPELINE", pipeline } });

describe("a malformed definition", () => {
  it("is one of at least sixty kinds", () => expect(FAULTS.length).toBeGreaterThanOrEqual(60));

  it.each(FAULTS)("$what", async ({ definition, faults }) => {
    started.length = 0;
    const refused = await process(definition);
    expect(refused.status, refused.text.slice(0, 300)).toBe(400);
    const paths: string[] = refused.json.errors.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual(faults.map((fault) => `/pipeline${fault.slice(fault.indexOf(" ") + 1)}`).sort());
    expect(started).toEqual([]);
  });

  it("leaves the job unchanged; the first valid one runs as its first run", async () => {
    expect((await target.api.get(`/job/status/${guid}`)).json).toMatchObject({ status: "PENDING", runs: [] });
    expect((await process({ nodes: [{ id: "f", type: "final", output: 1 }] })).status).toBe(200);
    const { runs, status } = await target.api.ended(guid);
    expect([status, runs.length]).toEqual(["COMPLETED", 1]);
    expect(started).toEqual(expect.arrayContaining(["sys/machines", "sys/executions", "sys/running"]));
  });
});
