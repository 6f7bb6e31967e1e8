/** The service under test: started here on a free port over a temporary folder, or wherever SHEAF_E2E_URL says. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { parseConfig } from "../../bin/local/config.ts";
import { type RunningService, type ServiceOptions, startService } from "../../bin/local/service.ts";
import { AnswerChecker, Api } from "./api.ts";
import { KEYS } from "./keys.ts";

export { KEYS };

const ENVIRONMENT = `1:${KEYS.one}:read+write,1:${KEYS.reader}:read,2:${KEYS.two}:read+write`;

export interface TestService {
  api: Api;
  other: Api;
  service: RunningService;
  dataDir: string;
  /** Everything that was logged. */
  log(): string;
  close(): Promise<void>;
}

/** @param dataDir an existing one stays after close */
export async function startTestService(
  options: Partial<ServiceOptions> & { dataDir?: string; env?: Record<string, string> } = {},
): Promise<TestService> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "sheaf-test-"));
  const lines: string[] = [];
  const log = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const config = parseConfig({
    PORT: "0",
    SHEAF_DATA_DIR: dataDir,
    SHEAF_API_KEYS: ENVIRONMENT,
    SHEAF_LOG: "debug",
    ...options.env,
  });
  const service = await startService({ ...options, config, log });
  const document = await (await fetch(`${service.url}/openapi.json`)).json();
  const checker = new AnswerChecker(document);
  return {
    api: new Api(service.url, KEYS.one, checker),
    other: new Api(service.url, KEYS.two, checker),
    service,
    dataDir,
    log: () => lines.join(""),
    async close() {
      await service.close(2_000);
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
