/** Knowledge bases as tools of a model: its server is one of these tests' own. */
import { afterAll, beforeAll, describe } from "vitest";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { knowledgeToolSuite } from "./knowledge-tools.suite.ts";

describe("a run with a knowledge base and a model", () => {
  let server: ModelServer;
  let target: TestService;
  beforeAll(async () => {
    server = await startModelServer();
    const env = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: server.url, LLM_MODEL_DEFAULT: "a-model" };
    target = await startTestService({ env });
  });
  afterAll(async () => {
    await target.close();
    await server.close();
  });

  knowledgeToolSuite(() => ({ target, server }));
});
