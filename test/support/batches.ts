/** Calls of batches for tests. */
import { expect } from "vitest";
import { type Api, form } from "./api.ts";

type Parsed = ReturnType<typeof JSON.parse>;

const TEXT = { name: "bill.txt", type: "text/plain" };

export const batchCalls = (api: () => Api) => ({
  async created(command: unknown = {}): Promise<string> {
    const answer = await api().post("/document/batch", { json: command });
    expect(answer.status, answer.text).toBe(200);
    return answer.json.guid;
  },

  async added(
    guid: string,
    bytes: Uint8Array | string,
    file: { name?: string; type?: string } = TEXT,
  ): Promise<Parsed> {
    const answer = await api().post(`/document/batch/${guid}/upload`, { body: form(bytes, file) });
    expect(answer.status, answer.text).toBe(201);
    return answer.json;
  },

  async process(guid: string, command: unknown): Promise<Parsed> {
    const answer = await api().post(`/document/batch/${guid}/process`, { json: command });
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  },

  /** Waits for the end of a batch; in a deployment every function starts cold. */
  async ended(guid: string): Promise<Parsed> {
    for (let round = 0; round < 25; round++) {
      const { json } = await api().get(`/job/status/${guid}?waitSeconds=10`);
      if (!["PENDING", "PROCESSING"].includes(json.status)) return json;
    }
    throw new Error(`Batch ${guid} did not end`);
  },

  listOf: async (guid: string, query = ""): Promise<Parsed> =>
    (await api().get(`/job/result/${guid}/json${query}`)).json,
});
