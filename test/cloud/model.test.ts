/**
 * A model in the deployment: its server runs in these tests, on this machine like the emulator's functions. Runs alone,
 * because other tests expect no model.
 */
import { afterAll, beforeAll, describe } from "vitest";
import { knowledgeToolSuite } from "../e2e/knowledge-tools.suite.ts";
import { modelSuite } from "../e2e/model.suite.ts";
import { routerSuite } from "../e2e/router.suite.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { REMOTE_URL } from "../support/target.ts";
import { setModel } from "./model.ts";

const { clientOptions = {}, outputs = {} } = JSON.parse(process.env.SHEAF_E2E_AWS ?? "{}");

describe.skipIf(REMOTE_URL === undefined)("a model in the deployment", () => {
  let server: ModelServer;
  let target: TestService;
  beforeAll(async () => {
    server = await startModelServer();
    await setModel(clientOptions, outputs.ModelSecret, {
      OPENAI_API_KEY: "sk-of-the-tests",
      OPENAI_BASE_URL: server.url,
      LLM_MODEL_DEFAULT: "a-model",
      LLM_MODEL_NANO: "a-small-model",
    });
    target = await startTestService();
  });
  afterAll(async () => {
    await setModel(clientOptions, outputs.ModelSecret, {});
    await server.close();
  });

  routerSuite(() => ({ target, server }));
  knowledgeToolSuite(() => ({ target, server }));
  modelSuite(() => ({ target, server }));
});
