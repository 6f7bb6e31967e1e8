/** The command line in memory, with a scriptable service. */
import { afterAll, beforeAll, beforeEach } from "vitest";
import { FakeService } from "../fake-service.ts";
import { type Outcome, sheaf, type World } from "./memory-io.ts";

export const files = { "/in/Invoice.PDF": "%PDF-1.7 invoice", "/in/letter.txt": "Dear Ada", "-": "from a pipe" };
const JSON_RESULT = { type: "application/json", body: '{"total":12.50,"ids":[12345678901234567890]}' };

export interface CommandLine {
  service: FakeService;
  run(argv: string[], world?: World): Promise<Outcome>;
  onlyJob(): ReturnType<FakeService["jobs"]["get"]>;
}

/** Call this at the top of a test file: it starts the service for the file and resets it between tests. */
export function commandLine(): CommandLine {
  const service = new FakeService();
  beforeAll(() => service.start());
  afterAll(() => service.stop());
  beforeEach(() => {
    service.forget();
    Object.assign(service.ending, { workMs: 20, status: "COMPLETED", error: null, result: JSON_RESULT });
  });
  return {
    service,
    run: (argv, world = {}) => sheaf(argv, { files, ...world, env: { SHEAF_API_URL: service.url, ...world.env } }),
    onlyJob: () => [...service.jobs.values()][0],
  };
}
