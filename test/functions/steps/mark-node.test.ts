/** Machines in which a node's function dies without an answer, beside other nodes. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RecordKey, Records } from "../../../functions/ports/records.ts";
import { waitForEnd } from "../../../functions/service/lifecycle/views/wait-for-end.ts";
import { loadNodes, viewPipeline } from "../../../functions/service/pipelines/node-statuses.ts";
import { INTERNAL_SENTENCE } from "../../../functions/service/runs/step-errors.ts";
import { fileOf, startPipeline } from "../../support/pipeline-run.ts";
import { easyTasks, type TestPlatform, testPlatform } from "../../support/platform.ts";
import { statesOf } from "../../support/router.ts";

/** Other nodes run until it dies; they would take longer. */
const DIES_AFTER = 60;
const NEIGHBOURS_TAKE = 400;
const TEXT = { bytes: Buffer.from("A text"), mimeType: "text/plain" };

/** Error that ends the function of the node `b`, once, and whether its outcome was recorded by then. */
let death: { name: string; recorded: boolean } | undefined;
let at: TestPlatform;

const isB = ({ sort }: RecordKey): boolean => sort.endsWith("/nodes/done/b");

async function die(recorded: boolean): Promise<void> {
  if (death?.recorded !== recorded) return;
  const { name } = death;
  death = undefined;
  await new Promise((resolve) => setTimeout(resolve, DIES_AFTER));
  throw Object.assign(new Error("It ended"), { name });
}

/** A node's step starts by reading its recorded outcome, and ends by writing it. */
const deadly = (records: Records): Records => ({
  get: async (key) => {
    if (isB(key)) await die(false);
    return records.get(key);
  },
  transact: async (operations, options) => {
    await records.transact(operations, options);
    if (operations.some((one) => "key" in one && isB(one.key))) await die(true);
  },
  put: (key, value, options) => records.put(key, value, options),
  delete: (key, condition) => records.delete(key, condition),
  add: (key, amounts, floor) => records.add(key, amounts, floor),
  query: (query) => records.query(query),
});

beforeEach(() => {
  at = testPlatform({
    extract: async ({ request }) => {
      const isSlow = request.prompt === "slow" && death?.recorded !== true;
      if (isSlow) await new Promise((resolve) => setTimeout(resolve, NEIGHBOURS_TAKE));
      return easyTasks.extract();
    },
  });
  Object.assign(at.platform, { records: deadly(at.platform.records) });
});
afterEach(() => at.close());

const node = (id: string, more: object = {}) => ({ id, type: "extract", prompt: "slow", ...more });

async function ended(nodes: object[], more: object = {}) {
  const end = { id: "end", type: "final", dependsOn: ["a", "b", "c"], output: 1 };
  const guid = await startPipeline(at, TEXT, { nodes: [...nodes, end], ...more });
  const { status, error } = await waitForEnd(at.org, guid, 20);
  const found = await loadNodes(at.org, guid, 1);
  if (found === undefined) throw new Error("The run left no nodes");
  const view = viewPipeline(found, status) as { nodes: { id: string; status: string; warnings: string[] }[] };
  return { guid, status, error, states: statesOf(view.nodes), warnings: view.nodes[1]?.warnings };
}

describe("a node whose function died, among concurrent ones", () => {
  it.each(["Lambda.Unknown", "Runtime.ExitError", "States.TaskFailed"])(
    "is FAILED, the others CANCELLED: %s",
    async (name) => {
      death = { name, recorded: false };
      const { states, warnings, ...job } = await ended([node("a"), node("b"), node("c")]);
      expect(states).toEqual({ a: "CANCELLED", b: "FAILED", c: "CANCELLED", end: "PENDING" });
      expect(job).toMatchObject({ status: "FAILED", error: INTERNAL_SENTENCE });
      expect(warnings).toEqual([INTERNAL_SENTENCE.replace("Processing failed: ", "")]);
    },
  );

  it("is the node whose own timeout has passed, for States.Timeout", async () => {
    death = { name: "States.Timeout", recorded: false };
    const times = [node("a", { timeoutSeconds: 2 }), node("b", { timeoutSeconds: 9 }), node("c")];
    const { states, error } = await ended(times);
    expect(states).toEqual({ a: "CANCELLED", b: "FAILED", c: "CANCELLED", end: "PENDING" });
    expect(error).toBe('Processing failed: The node "b" took longer than its 9 seconds');
  });

  it("leaves nodes that have not begun PENDING", async () => {
    death = { name: "Lambda.Unknown", recorded: false };
    const [a, b, c] = [
      node("a", { prompt: "quick" }),
      node("b", { dependsOn: ["a"] }),
      node("c", { dependsOn: ["b"] }),
    ];
    expect((await ended([a, b, c])).states).toEqual({ a: "COMPLETED", b: "FAILED", c: "PENDING", end: "PENDING" });
    death = { name: "Lambda.Unknown", recorded: false };
    const two = await ended([node("a"), node("b"), node("c")], { concurrency: { maxNodes: 2 } });
    expect(two.states).toEqual({ a: "CANCELLED", b: "FAILED", c: "PENDING", end: "PENDING" });
  });

  it("keeps its recorded outcome", async () => {
    death = { name: "Lambda.Unknown", recorded: true };
    const { guid, states, ...job } = await ended([node("a"), node("b"), node("c")]);
    expect(states).toEqual({ a: "COMPLETED", b: "COMPLETED", c: "COMPLETED", end: "COMPLETED" });
    expect(job).toMatchObject({ status: "COMPLETED", error: null });
    expect(await fileOf(at, guid, "result.json")).toBe(1);
  });
});
