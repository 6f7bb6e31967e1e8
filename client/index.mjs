/**
 * The typed client for `sheaf/client`: TypeScript in the repository, JavaScript in the package, where Node.js runs no
 * TypeScript. `npm run generate` writes this file.
 */
import { existsSync } from "node:fs";

const source = new URL("./index.ts", import.meta.url);
const client = await import(existsSync(source) ? source.href : "../dist/client/index.js");

export const {
  Pipeline,
  Sheaf,
  SheafClient,
  SheafError,
  SheafJobError,
  SheafUnreachable,
  SheafWaitTimeout,
  WebhookVerificationError,
  and,
  definePipeline,
  eq,
  exists,
  isTerminal,
  ne,
  not,
  or,
  verifyWebhook,
} = client;
