/** Answers about jobs: how long they may be. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { SheafClient } from "../../../client/index.ts";
import { MAX_RESULT_CHARACTERS, outcomeOf } from "../../../client/mcp/outcome.ts";
import { FakeService, KEY } from "../fake-service.ts";

const service = new FakeService();
beforeAll(() => service.start());
afterAll(() => service.stop());

it("an answer has no more characters of values than of a result, and says what it leaves out", async () => {
  const long = "x".repeat(MAX_RESULT_CHARACTERS);
  const place = { resolution: "word", sourceRefs: [], pageAnchors: [], confidence: 1 };
  service.ending.result = { type: "application/json", body: JSON.stringify({ no: "7", text: long }) };
  service.ending.sourceLocations = {
    version: 1,
    granularity: "auto",
    pages: [],
    locations: { "/no": place, "/text": place },
    unresolved: [],
  };
  const client = new SheafClient({ apiUrl: service.url, token: KEY });
  const { guid } = service.addJob();
  await client.process(guid, { sourceLocations: true });
  const answer = await outcomeOf(client, await client.wait(guid), AbortSignal.timeout(5_000));
  expect(answer.structuredContent).toMatchObject({
    values: [{ pointer: "/no", value: "7", confidence: 1 }],
    left: [expect.stringContaining("characters"), "1 of 2 located values"],
  });
  expect(JSON.stringify(answer.content).length).toBeLessThan(MAX_RESULT_CHARACTERS);
});
