/** Ids of one organization's cases and documents, tried by another: 404 and nothing else. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { form } from "../support/api.ts";
import { startTestService, type TestService } from "../support/service.ts";

const PAIRS = 2_000;
const CASES = 12;
const DOCUMENTS = 4;

let target: TestService;
const pairs: { caseId: number; documentId: string }[] = [];

beforeAll(async () => {
  target = await startTestService({});
  const { api, other } = target;
  // The other one has a case too: its own id is none of these.
  expect((await other.post("/cases", { json: { name: "Theirs" } })).status).toBe(201);
  for (let index = 0; index < CASES; index += 1) {
    const caseId = (await api.post("/cases", { json: { name: `Case ${index}` } })).json.id;
    for (let document = 0; document < DOCUMENTS; document += 1) {
      const added = await api.post(`/cases/${caseId}/documents`, { body: form(`Text ${document}.`) });
      pairs.push({ caseId, documentId: added.json.documentId });
    }
  }
});
afterAll(() => target.close());

/** A generator of numbers below a bound, the same in every run. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const CALLS: readonly ((caseId: number, documentId: string) => [string, string, object?])[] = [
  (caseId, documentId) => ["GET", `/cases/${caseId}/documents/${documentId}`],
  (caseId, documentId) => ["DELETE", `/cases/${caseId}/documents/${documentId}`],
  (caseId, documentId) => ["GET", `/cases/${caseId}/documents/${documentId}/download`],
  (caseId, documentId) => ["GET", `/cases/${caseId}/documents/${documentId}/summary`],
  (_caseId, documentId) => ["GET", `/job/status/${documentId}`],
  (_caseId, documentId) => ["GET", `/job/result/${documentId}`],
  (_caseId, documentId) => ["POST", `/document/process/${documentId}`, {}],
  (caseId) => ["GET", `/cases/${caseId + 1}`],
  (caseId) => ["PUT", `/cases/${caseId + 1}`, { name: "Taken" }],
  (caseId) => ["DELETE", `/cases/${caseId + 1}`],
  (caseId) => ["GET", `/cases/${caseId + 1}/documents`],
  (caseId) => ["GET", `/cases/${caseId + 1}/summaries`],
];

it("2,000 random pairs of ids are 404 for another organization, and its own pairs stay as they are", async () => {
  const next = numbers(17);
  const statuses = new Map<number, number>();
  for (let tried = 0; tried < PAIRS; tried += 1) {
    const { caseId } = pairs[next(pairs.length)] ?? { caseId: 1 };
    const { documentId } = pairs[next(pairs.length)] ?? { documentId: "" };
    const call = CALLS[next(CALLS.length)]?.(caseId, documentId);
    if (call === undefined) throw new Error("A call is chosen");
    const [method, path, json] = call;
    const answer = await target.other.call(method, path, json === undefined ? {} : { json });
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    expect([method, path, answer.status]).toEqual([method, path, 404]);
    expect(answer.json.error).toBe("NotFound");
  }
  expect([...statuses]).toEqual([[404, PAIRS]]);
  for (const { caseId, documentId } of pairs) {
    const own = await target.api.get(`/cases/${caseId}/documents/${documentId}`);
    expect(own.status).toBe(200);
  }
});
