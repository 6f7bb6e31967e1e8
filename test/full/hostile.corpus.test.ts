/** Hostile PDFs and images through the service: the manifest's outcome or better, within time and memory. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JOB_SENTENCES } from "../../functions/ports/errors.ts";
import { form } from "../support/api.ts";
import { type MemoryWatch, watchDescendants } from "../support/descendants.ts";
import { startTestService, type TestService } from "../support/service.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; no hostile document was tried`);

const MEGABYTE = 2 ** 20;
const MAX_MEMORY_BYTES = 512 * MEGABYTE;
const MAX_SECONDS = 10;

interface Entry {
  path: string;
  facts: { what: string; expect: string };
}
const manifest: { files: Entry[] } = present
  ? JSON.parse(readFileSync(join(CORPUS, "MANIFEST.json"), "utf8"))
  : { files: [] };
const hostile = manifest.files.filter(({ path }) => /^hostile\/.*\.(?:pdf|png|jpe?g|tiff?)$/.test(path));

/** The end of a document: refused at the upload, or its job's status. */
interface Outcome {
  status: string;
  /** The message to the caller. */
  message: string;
}

const READ_PATTERN: RegExp = /^COMPLETED$/;
const ENDED_PATTERN: RegExp = /^(?:COMPLETED|FAILED|refused (?:415|422))$/;
const opens = { status: READ_PATTERN, message: /^$/ };
const ends = { status: ENDED_PATTERN, message: /^(?:|The (?:document|part) .+|Processing failed: .+)$/ };

/** The outcomes that the manifest allows; reading more is better. */
function expected(expectation: string): { status: RegExp; message: RegExp } {
  if (expectation.startsWith("open")) return opens;
  if (expectation.startsWith("ask for password"))
    return { status: /^FAILED$/, message: new RegExp(`^${JOB_SENTENCES.password}$`) };
  if (expectation.includes("XFA-only"))
    return { status: /^FAILED$/, message: /^Processing failed: .*XFA.*static PDF$/ };
  return ends;
}

/** Forbidden in messages: stack traces, paths, addresses, class names. */
const INTERNALS_PATTERN = /\n|\bat \S+:\d+|\/(?:home|tmp|usr|work)\/|node:|\w+Error\b|undefined|\[object/;

describe.skipIf(!present)("hostile documents", () => {
  let target: TestService;
  let memory: MemoryWatch;
  beforeAll(async () => {
    target = await startTestService({ memoryLimitBytes: MAX_MEMORY_BYTES });
    memory = watchDescendants();
  });
  afterAll(async () => {
    memory.close();
    console.info(`hostile documents: at most ${Math.round(memory.peak() / MEGABYTE)} MB in any one process`);
    await target.close();
  });

  async function recognise(path: string): Promise<Outcome> {
    const { api } = target;
    const upload = await api.post("/document/upload", {
      body: form(readFileSync(join(CORPUS, path)), { name: basename(path) }),
    });
    if (upload.status !== 201) return { status: `refused ${upload.status}`, message: upload.json.message };
    const { guid } = upload.json;
    expect((await api.post(`/document/ocr/${guid}?format=plain`, { json: {} })).status).toBe(200);
    const job = await api.ended(guid);
    if (job.status === "COMPLETED") expect((await api.get(`/job/result/${guid}`)).text.trim()).not.toBe("");
    return { status: job.status, message: job.error ?? "" };
  }

  it("are at hand", () => expect(hostile.length).toBeGreaterThanOrEqual(18));

  it.each(hostile.map(({ path, facts }) => [path, facts.what, facts.expect] as const))(
    "end as expected: %s (%s)",
    async (path, _, expectation) => {
      const started = performance.now();
      const outcome = await recognise(path);
      const seconds = (performance.now() - started) / 1000;
      console.info(`${basename(path)}: ${outcome.status} ${outcome.message} in ${seconds.toFixed(1)} s`);
      const { status, message } = expected(expectation);
      expect(outcome).toEqual({ status: expect.stringMatching(status), message: expect.stringMatching(message) });
      expect(outcome.message).not.toMatch(INTERNALS_PATTERN);
      expect(seconds).toBeLessThan(MAX_SECONDS);
      expect(memory.peak()).toBeLessThan(MAX_MEMORY_BYTES);
      expect((await target.api.get("/health", { key: null })).status).toBe(200);
    },
  );

  it("leave a service that reads the next document", async () => {
    const good = await target.api.processed("Total: 12.00 EUR", { schema: { total: "number" } });
    expect(good.status).toBe("COMPLETED");
  });
});
