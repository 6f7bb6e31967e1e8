/** The model suite of deployments on one machine: its retries take a quarter of a minute. */
import { afterAll, beforeAll } from "vitest";
import { modelSuite } from "../e2e/model.suite.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { startTestService, type TestService } from "../support/service.ts";

let server: ModelServer;
let target: TestService;
beforeAll(async () => {
  server = await startModelServer();
  target = await startTestService({
    env: { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: server.url, LLM_MODEL_DEFAULT: "a-model" },
  });
});
afterAll(async () => {
  await target.close();
  await server.close();
});

modelSuite(() => ({ target, server }));
