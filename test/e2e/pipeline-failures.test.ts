/** Pipelines that are refused, and runs of them that fail, as a user sees them; a deployed service shows the same. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { command, router, statesOf } from "../support/router.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

const PDF = { name: "document.pdf", type: "application/pdf" };

let target: TestService;
beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

const jsonOf = async (path: string) => (await target.api.get(path)).json;

describe("a pipeline", () => {
  it("is refused when it is not a definition", async () => {
    const answer = await target.api.post("/pipeline/validate", { json: [null] });
    expect(answer.json).toMatchObject({ status: 400, error: "BadRequest" });
  });

  it("is refused with all faults of its definition named, and starts nothing", async () => {
    const guid = await target.api.upload(await drawInvoice(), PDF);
    const pipeline = {
      nodes: [
        { id: "a", type: "extract", source: "b" },
        { id: "a", type: "final" },
      ],
      finals: ["c"],
    };
    const refused = await target.api.post(`/document/process/${guid}`, { json: command(pipeline) });
    expect(refused.status).toBe(400);
    const paths = refused.json.errors.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(["/pipeline/nodes/0/source", "/pipeline/nodes/1/id", "/pipeline/nodes/1/output"]),
    );
    expect(await jsonOf(`/job/status/${guid}`)).toMatchObject({ status: "PENDING", runs: [] });
    const verdict = await target.api.post("/pipeline/validate", { json: pipeline });
    expect(verdict.json).toMatchObject({ valid: false });
    expect((await target.api.post("/pipeline/validate", { json: router() })).json).toMatchObject({
      valid: true,
      errors: [],
      finals: ["invoice_final", "sds_final", "other_final"],
    });
  });

  it("is checked alike by both routes for its tools' targets", async () => {
    const search = (caseId: number) => [{ type: "KNOWLEDGE_BASE_SEARCH", config: { caseId } }];
    const nodes = [
      { id: "a", type: "extract", tools: search(4711) },
      { id: "b", type: "extract", tools: [...search(4712), ...search(4713)] },
      { id: "end", type: "final", output: 1 },
    ];
    const verdict = await target.api.post("/pipeline/validate", { json: { nodes } });
    const told = verdict.json.errors.map(({ path }: { path: string }) => path);
    expect([verdict.json.valid, told]).toEqual([
      false,
      ["/nodes/0/tools/0/config/caseId", "/nodes/1/tools/0/config/caseId", "/nodes/1/tools/1/config/caseId"],
    ]);
    const guid = await target.api.upload(await drawInvoice(), PDF);
    const refused = await target.api.post(`/document/process/${guid}`, { json: command({ nodes }) });
    const paths = refused.json.errors.map(({ path }: { path: string }) => path);
    expect([refused.status, paths]).toEqual([400, told.map((path: string) => `/pipeline${path}`)]);
  });

  it("fails with a failed node, unless the node lets the others continue", async () => {
    const fails = { id: "list", type: "transform", transform: "merge", input: ["$document.fileName"] };
    const nodes = [
      fails,
      { id: "end", type: "final", output: { list: "$nodes.list.result", state: "$nodes.list.status" } },
    ];
    const failed = await target.api.processed(await drawInvoice(), command({ nodes }), PDF);
    expect(failed).toMatchObject({
      status: "FAILED",
      error: 'Processing failed: The node "list" needs a list of objects as its input',
    });
    expect(statesOf(failed.pipeline.nodes)).toEqual({ list: "FAILED", end: "PENDING" });
    const [, end] = nodes;
    const gone = await target.api.processed(
      await drawInvoice(),
      command({ nodes: [{ ...fails, onError: "continue" }, end] }),
      PDF,
    );
    expect(gone).toMatchObject({ status: "COMPLETED", pipeline: { chosenFinal: "end" } });
    expect(gone.pipeline.warnings).toEqual([
      'The node "list" failed: The node "list" needs a list of objects as its input',
    ]);
    expect(await jsonOf(`/job/result/${gone.guid}/json`)).toEqual({ list: null, state: "FAILED" });
  });

  it("fails when no candidate completes", async () => {
    const nodes = [{ id: "end", type: "final", when: { eq: ["$document.mimeType", "text/plain"] }, output: 1 }];
    const failed = await target.api.processed(await drawInvoice(), command({ nodes }), PDF);
    expect(failed).toMatchObject({ status: "FAILED", error: "Processing failed: no final node completed" });
    expect(statesOf(failed.pipeline.nodes)).toEqual({ end: "SKIPPED" });
  });
});
