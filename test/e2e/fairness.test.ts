/** One organization's flood, and the other's work beside it: uploads that do not end, and a receiver that does not answer. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { form } from "../support/api.ts";
import { bundledWorker } from "../support/bundled-worker.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { startTestService, type TestService } from "../support/service.ts";

let target: TestService;
let receiver: Receiver;
beforeAll(async () => {
  const workerModule = await bundledWorker("slow-inspection-worker");
  target = await startTestService({ workerModule, documentProcesses: 2 });
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await target.close();
});

/** Uploads of the flood at once. */
const FLOOD = 12;

it("an organization uploads and processes beside another's slow uploads, and waits for few of them", async () => {
  const { api, other } = target;
  await other.processed("Total: 1.00 EUR", {});
  let over = false;
  let answered = 0;
  const refused: number[] = [];
  const keepUploading = async (name: number): Promise<void> => {
    while (!over) {
      const { status } = await api.post("/document/upload", { body: form(`SLOW ${name}/${answered}`) });
      answered += 1;
      if (status !== 201) refused.push(status);
    }
  };
  const flood = Array.from({ length: FLOOD }, (_, name) => keepUploading(name));
  while (answered < FLOOD) await new Promise((resolve) => setTimeout(resolve, 10));
  const before = answered;
  for (let index = 0; index < 8; index += 1) {
    expect((await other.post("/document/upload", { body: form(`Total: ${index}`) })).status).toBe(201);
  }
  // First come, first served, each would wait for all of the flood.
  expect(answered - before).toBeLessThan((8 * FLOOD) / 3);
  expect((await other.processed("Total: 12.00 EUR", { schema: { total: "number" } })).status).toBe("COMPLETED");
  over = true;
  await Promise.all(flood);
  expect(refused).toEqual([]);
});

it("a dependent job starts while another organization's receiver leaves its events unanswered", async () => {
  const { api, other } = target;
  await api.call("PUT", "/settings/webhook", { json: { url: receiver.url } });
  receiver.answers.push(...Array.from({ length: 20 }, () => "never" as const));
  for (let index = 0; index < 6; index += 1) await api.processed(`Total: ${index}.00 EUR`, {});
  const [first, second] = [await other.upload("Total: 1.00 EUR"), await other.upload("Total: 2.00 EUR")];
  await other.post(`/document/process/${second}?dependsOn=${first}`, { json: {} });
  await other.post(`/document/process/${first}`, { json: {} });
  expect((await other.ended(second)).status).toBe("COMPLETED");
  const { json } = await api.get("/settings/webhook/deliveries");
  expect(json).toHaveLength(6);
  expect(json.every(({ status }: { status: string }) => status === "PENDING")).toBe(true);
  // Four wait for an answer; the others wait for them.
  expect(receiver.received.length).toBeLessThanOrEqual(4);
  await api.call("PUT", "/settings/webhook", { json: {} });
});
