/** The settings of one machine: defaults, values, and one sentence for each that cannot be used. */
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../bin/local/config.ts";

const KEY = "a-secret-of-many-letters";
const MODEL = { OPENAI_API_KEY: "none", LLM_MODEL_DEFAULT: "large" };

describe("the settings of one machine", () => {
  it("have defaults, with which nobody else reaches the service", () => {
    expect(parseConfig({})).toMatchObject({
      host: "127.0.0.1",
      port: 3000,
      dataDir: resolve(".sheaf"),
      keys: [{ organizationId: 1, key: "sheaf-local" }],
      defaultKey: true,
      maintenance: false,
      rateLimit: null,
      logLevel: "info",
      ocr: { engine: "embedded", languages: ["eng"], secondLook: true },
      model: null,
      limits: { retentionDays: 14, maxOpenRuns: 20_000, orgOpenRuns: 10_000, pageQuota: null },
      orgConcurrency: availableParallelism(),
    });
  });

  it.each<[Record<string, string>, object]>([
    [{ PORT: "0" }, { port: 0 }],
    [
      { HOST: "0.0.0.0", SHEAF_API_KEYS: `1:${KEY}:read` },
      { host: "0.0.0.0", defaultKey: false },
    ],
    [{ SHEAF_DATA_DIR: "/data" }, { dataDir: resolve("/data") }],
    [
      { SHEAF_API_KEYS: `7:${KEY}:read+write,8:${KEY}2:admin` },
      {
        keys: [
          { organizationId: 7, key: KEY, scopes: ["read", "write"] },
          { organizationId: 8, key: `${KEY}2`, scopes: ["admin"] },
        ],
      },
    ],
    [{ SHEAF_RATE_LIMIT: "60:100" }, { rateLimit: { perMinute: 60, burst: 100 } }],
    [{ SHEAF_RETENTION_DAYS: "30" }, { limits: { retentionDays: 30 } }],
    [{ SHEAF_RETENTION_DAYS: "off" }, { limits: { retentionDays: null } }],
    [{ SHEAF_MAX_OPEN_RUNS: "5" }, { limits: { maxOpenRuns: 5 } }],
    [{ SHEAF_OCR_LANGS: "eng+deu, eng" }, { ocr: { languages: ["eng", "deu"] } }],
    [{ SHEAF_OCR_ENGINE: "off" }, { ocr: { engine: "off" } }],
    [{ SHEAF_OCR_SECOND_LOOK: "off" }, { ocr: { secondLook: false } }],
    [{ SHEAF_OCR_SECOND_LOOK: "auto" }, { ocr: { secondLook: true } }],
    [{ SHEAF_LOG: "debug" }, { logLevel: "debug" }],
    [{ SHEAF_MAINTENANCE: "1" }, { maintenance: true }],
    [{ SHEAF_ORG_CONCURRENCY: "3" }, { orgConcurrency: 3 }],
    [MODEL, { model: { apiKey: "none", models: { DEFAULT: "large", NANO: "large", MINI: "large", HIGH: "large" } } }],
    [
      { ...MODEL, LLM_MODEL_NANO: "tiny", LLM_MODEL_MINI: "small", LLM_MODEL_HIGH: "huge" },
      { model: { models: { DEFAULT: "large", NANO: "tiny", MINI: "small", HIGH: "huge" } } },
    ],
    [{ ...MODEL, OPENAI_BASE_URL: "http://localhost:1/v1" }, { model: { baseUrl: "http://localhost:1/v1" } }],
  ])("%j is read", (env, expected) => {
    expect(parseConfig(env)).toMatchObject(expected);
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ PORT: "http" }, /^PORT must be a number from 0 to 65535$/],
    [{ HOST: "0.0.0.0" }, /^HOST=0\.0\.0\.0 can be reached by others/],
    [{ SHEAF_API_KEYS: "," }, /^SHEAF_API_KEYS names no key/],
    [{ SHEAF_RATE_LIMIT: "fast" }, /^SHEAF_RATE_LIMIT/],
    [{ SHEAF_RETENTION_DAYS: "0" }, /^SHEAF_RETENTION_DAYS must be a whole number from 1 to 3650$/],
    [{ SHEAF_MAX_OPEN_RUNS: "many" }, /^SHEAF_MAX_OPEN_RUNS must be a whole number/],
    [{ SHEAF_OCR_LANGS: "e" }, /^SHEAF_OCR_LANGS names 'e'; write codes like eng\+deu$/],
    [{ SHEAF_OCR_ENGINE: "best" }, /^SHEAF_OCR_ENGINE must be embedded, native or off$/],
    [{ SHEAF_OCR_SECOND_LOOK: "1" }, /^SHEAF_OCR_SECOND_LOOK must be auto or off$/],
    [{ SHEAF_LOG: "loud" }, /^SHEAF_LOG must be debug, info, warn or error$/],
    [{ OPENAI_BASE_URL: "http://localhost:1" }, /^OPENAI_API_KEY is not set/],
    [{ OPENAI_API_KEY: "none" }, /^LLM_MODEL_DEFAULT is not set/],
  ])("%j is refused with one sentence", (env, sentence) => {
    expect(() => parseConfig(env)).toThrow(sentence);
  });
});
