/** Results that would be too large are refused before they are made. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isLarger, MAX_RESULT_BYTES, writeResult } from "../../../../functions/engine/nodes/result-size.ts";
import { JobFailure } from "../../../../functions/ports/errors.ts";
import { waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import { loadNodes } from "../../../../functions/service/pipelines/node-statuses.ts";
import type { Json } from "../../../../statemachines/pipeline/diagnostics.ts";
import { modelPlatform } from "../../../support/model-platform.ts";
import { fileOf, startPipeline } from "../../../support/pipeline-run.ts";
import type { TestPlatform } from "../../../support/platform.ts";
import { compute, many } from "./transforms.ts";

const LARGE = "x".repeat(1_000_000);
const tooLarge = /^Processing failed: The result of the node "node" has more than 10,000,000 bytes of JSON; /;

describe("a value's size", () => {
  it.each<[Json]>([["abc"], [12], [null], [[]], [{ a: [1, "b"], c: {} }]])(
    "is at most what is written of it: %j",
    (value) => {
      const { length } = JSON.stringify(value);
      expect(isLarger(value, length)).toBe(false);
      expect(isLarger([value, value], 1)).toBe(true);
    },
  );

  it("counts what is named many times as often, and stops where it is certain", () => {
    const ten: Json = many(10).map(() => LARGE);
    expect(isLarger(ten, 9_999_999)).toBe(true);
    expect(isLarger(ten, 10_000_100)).toBe(false);
    let doubled: Json = "x";
    for (let times = 0; times < 60; times += 1) doubled = [doubled, doubled];
    expect(isLarger(doubled, MAX_RESULT_BYTES)).toBe(true);
  });

  it("is that of its bytes where it is written", () => {
    expect(writeResult("node", "x".repeat(9_999_998)).length).toBe(10_000_000);
    expect(() => writeResult("node", "x".repeat(9_999_999))).toThrow(tooLarge);
    // Each of these characters is two bytes.
    expect(() => writeResult("node", "ü".repeat(5_000_000))).toThrow(tooLarge);
  });
});

describe("a transform", () => {
  it("that repeats a text ends where it is too long", async () => {
    const text = (times: number) => ({ text: "{{a}}".repeat(times) });
    expect((await compute("template", { a: LARGE }, text(9))).result).toBe(LARGE.repeat(9));
    await expect(compute("template", { a: LARGE }, text(300))).rejects.toThrow(tooLarge);
    await expect(compute("template", { a: many(300).map(() => LARGE) }, text(1))).rejects.toThrow(tooLarge);
  });

  it("that copies its input does not copy what is too large", async () => {
    const rows = many(300).map(() => ({ a: LARGE }));
    await expect(compute("calculate", rows, { formulas: { b: "1+1" } })).rejects.toThrow(JobFailure);
  });
});

describe("a run", () => {
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

  it("of templates that grow tenfold ends with the sentence of the one that is too large", async () => {
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

  it("has no more of them together than it may, and goes on without a node that says so", async () => {
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

  it("refuses what a model would be given beyond that", async () => {
    const inputs = { text: { kind: "literal", value: "x".repeat(90_000) } };
    const nodes = [{ id: "a", type: "extract", input: many(200).map(() => "$inputs.text") }, end("$nodes.a")];
    const { status, error } = await run(nodes, { inputs });
    expect([status, error]).toEqual([
      "FAILED",
      expect.stringMatching(/^Processing failed: The input of the node "a" has more/),
    ]);
  });
});
