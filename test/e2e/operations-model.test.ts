/** Operations with a model: its server is one of these tests' own. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { answerJson, answerText, type ModelServer, startModelServer } from "../support/model-server.ts";
import { startTestService, type TestService } from "../support/service.ts";

let server: ModelServer;
let target: TestService;
let parent: string;
beforeAll(async () => {
  server = await startModelServer([answerJson({ invoice_number: "A-17", total: 120 })]);
  const env = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: server.url, LLM_MODEL_DEFAULT: "a-model" };
  target = await startTestService({ env });
  const schema = { invoice_number: "string", total: "number" };
  const job = await target.api.processed("Invoice number: A-17\nTotal: 120.00 EUR\n", { schema });
  expect(job.status).toBe("COMPLETED");
  parent = job.guid;
});
afterAll(async () => {
  await target.close();
  await server.close();
});

async function done(path: string, json: unknown) {
  const { json: submitted } = await target.api.post(path, { json });
  const ended = await target.api.ended(submitted.jobGuid);
  expect(ended).toMatchObject({ status: "COMPLETED", engine: "a-model" });
  return { ended, result: (await target.api.get(`/job/result/${submitted.jobGuid}`)).json };
}

it("a generative task writes a text, cites existing pages, and reports its tokens", async () => {
  server.play([answerText("The invoice A-17 is over 120.00 EUR [p. 1], see also [p. 7].")]);
  const { ended, result } = await done(`/operation/${parent}/generative-task`, {
    prompt: "Sum it up",
    maxTokens: "500",
  });
  expect(result).toMatchObject({
    generated_text: "The invoice A-17 is over 120.00 EUR [p. 1], see also.",
    model_used: "a-model",
    prompt: "Sum it up",
  });
  const { prompt_tokens: asked, completion_tokens: said, total_tokens: all } = result.token_usage;
  expect(all).toBe(asked + said);
  expect(ended.usage.llmTokens).toBe(all);
  const trace = (await target.api.get(`/job/trace/${ended.guid}`)).json;
  expect(trace).toMatchObject({ job_id: ended.guid, total_llm_calls: 1, total_tokens: all });
});

it("an error analysis uses the model's judgement of existing fields, ranked below evidence", async () => {
  const issues = [
    { field: "total", issue: "The total is not the one that is due.", confidence: 1, suggestion: "Look again." },
    { field: "colour", issue: "There is no colour.", confidence: 1 },
  ];
  server.play([answerJson({ issues })]);
  const { result } = await done("/operation", { jobGuid: parent, type: "error-analysis" });
  const told = result.analysis.potential_issues.filter(({ field }: { field: string }) => field === "total");
  expect(told).toMatchObject([{ issue: "The total is not the one that is due.", kind: "judgement", confidence: 0.75 }]);
  expect(JSON.stringify(result)).not.toContain("colour");
});
