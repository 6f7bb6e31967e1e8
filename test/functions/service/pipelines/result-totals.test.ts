/** Size limits of nodes' inputs and results in whole pipeline runs. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../../../../functions/ports/json.ts";
import { waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import { loadNodes } from "../../../../functions/service/pipelines/node-statuses.ts";
import { modelPlatform } from "../../../support/model-platform.ts";
import { fileOf, startPipeline } from "../../../support/pipeline-run.ts";
import type { TestPlatform } from "../../../support/platform.ts";
import { many } from "../../engine/nodes/transforms.ts";

describe("a pipeline run", () => {
  let at: TestPlatform;
  beforeEach(() => {
    at = modelPlatform();
  });
  afterEach(() => at.close());
  const run = async (nodes: object[], more: object = {}) => {
    const guid = await startPipeline(at, { bytes: Buffer.from("A text"), mimeType: "text/plain" }, { nodes, ...more });
    return waitForEnd(at.org, guid, 20);
  };
  const template = (id: string, text: string) => ({
    id,
    type: "transform",
    transform: "template",
    config: { text },
    input: {},
  });
  const ten = (id: string, of: string) => template(id, `{{${of}}}`.repeat(10));
  const end = (output: Json) => ({ id: "end", type: "final", output });

  it("fails with the sentence of the template that grows too large", async () => {
    const nodes = [
      ten("a", "$inputs.text"),
      ...["b", "c"].map((id, at) => ({ ...ten(id, `$nodes.${"ab"[at]}`), dependsOn: ["ab"[at]] })),
      end("$nodes.c"),
    ];
    const inputs = { text: { kind: "literal", value: "x".repeat(20_000) } };
    const { status, error } = await run(nodes, { inputs });
    expect([status, error]).toEqual([
      "FAILED",
      expect.stringMatching(/^Processing failed: The result of the node "c" has more/),
    ]);
  });

  it("limits the total of all results, and continues without a node that may fail", async () => {
    const inputs = { text: { kind: "literal", value: "x".repeat(90_000) } };
    const nodes = [
      { ...template("one", "{{$inputs.text}}".repeat(100)) },
      ...many(5).map((place) => ({
        ...template(`copy${place}`, "{{$nodes.one}}"),
        dependsOn: place === 0 ? ["one"] : ["one", `copy${place - 1}`],
        ...(place === 4 ? { onError: "continue" } : {}),
      })),
      { ...end(["$nodes.copy3.status", "$nodes.copy4.status"]), dependsOn: ["copy4"] },
    ];
    const job = await run(nodes, { inputs });
    expect(job).toMatchObject({ status: "COMPLETED", error: null });
    expect(await fileOf(at, job.guid, "result.json")).toEqual(["COMPLETED", "FAILED"]);
    const { sentence } = (await loadNodes(at.org, job.guid, 1))?.done.get("copy4") ?? {};
    expect(sentence).toContain("have more than 50,000,000 bytes of JSON");
  });

  it("refuses an input for a model above the limit", async () => {
    const inputs = { text: { kind: "literal", value: "x".repeat(90_000) } };
    const nodes = [{ id: "a", type: "extract", input: many(200).map(() => "$inputs.text") }, end("$nodes.a")];
    const { status, error } = await run(nodes, { inputs });
    expect([status, error]).toEqual([
      "FAILED",
      expect.stringMatching(/^Processing failed: The input of the node "a" has more/),
    ]);
  });
});
