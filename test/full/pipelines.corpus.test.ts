/**
 * The router over every open invoice and a safety data sheet, offline and with a model: the node states of the
 * contract.
 */

import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openLocalOcr } from "../../functions/adapters/local/ocr/local-ocr.ts";
import { extractOffline } from "../../functions/engine/extraction/rules/extract-offline.ts";
import { readDocument } from "../../functions/engine/readers/read-document.ts";
import { sniffDocument } from "../../functions/engine/readers/sniff-media-type.ts";
import { parseSchema } from "../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../functions/ports/json.ts";
import { answerJson, type ModelScript, type ModelServer, startModelServer } from "../support/model-server.ts";
import { rememberReadings } from "../support/remembered-ocr.ts";
import { INVOICE_STATES, router, SAFETY_DATA_SHEET, SHEET_STATES, statesOf } from "../support/router.ts";
import { startTestService, type TestService } from "../support/service.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; the router ran on no real invoice`);

interface Entry {
  path: string;
  kind: string;
  facts: { language?: string; expected_common?: { invoice_number?: string; net_total?: number } };
}
const manifest: { files: Entry[] } = present
  ? JSON.parse(readFileSync(join(CORPUS, "MANIFEST.json"), "utf8"))
  : { files: [] };
const invoices = manifest.files.filter(({ kind }) => kind === "invoice");

const TYPES: Record<string, string> = { pdf: "application/pdf", png: "image/png" };
const COUNTRIES: Record<string, string> = { us: "en", nl: "nl" };
const languageOf = ({ path, facts }: Entry): string => facts.language ?? COUNTRIES[basename(path).slice(0, 2)] ?? "en";

const command = { extractionMode: "PIPELINE", pipeline: router() };
const TEXT = { name: "sheet.txt", type: "text/plain" };

const processed = (target: TestService, { path }: Entry) => {
  const file = { name: basename(path), type: TYPES[path.split(".").at(-1) ?? ""] ?? "" };
  return target.api.processed(readFileSync(join(CORPUS, path)), command, file);
};
const jsonOf = async (target: TestService, path: string) => (await target.api.get(path)).json;

/** Asserts the node states of an invoice, and that every leaf is located or unresolved. @returns the data */
async function expectInvoice(target: TestService, job: Awaited<ReturnType<typeof processed>>): Promise<object> {
  expect(statesOf(job.pipeline.nodes)).toEqual(INVOICE_STATES);
  expect(job).toMatchObject({ status: "COMPLETED", error: null, pipeline: { chosenFinal: "invoice_final" } });
  const { branch, data } = await jsonOf(target, `/job/result/${job.guid}/json`);
  expect(branch).toBe("invoice");
  const { locations, unresolved } = await jsonOf(target, `/job/result/${job.guid}/source-locations`);
  const told = [...Object.keys(locations), ...unresolved.map(({ pointer }: { pointer: string }) => pointer)];
  const names = Object.keys(data).map((name) => `/data/${name}`);
  expect(told.sort()).toEqual(["/branch", ...(names.length === 0 ? ["/data"] : names.sort())]);
  return data;
}

/** Both services read the same pictures, which takes most of the time: what one has read the other is given. */
const recogniser = openLocalOcr({ clock: systemClock(), jobTimeoutSeconds: 120, langs: ["eng"], engine: "embedded" });
const ocr = rememberReadings(recogniser);
afterAll(() => recogniser.close());

describe.skipIf(!present)("the router, offline", () => {
  let target: TestService;
  const told = new Map<string, boolean[]>();
  beforeAll(async () => {
    target = await startTestService({ ocr, jobTimeoutSeconds: 120 });
  });
  afterAll(async () => {
    await target.close();
    for (const [language, right] of told) {
      console.info(
        `${language}: ${right.filter(Boolean).length} of ${right.length} open invoices are known as invoices`,
      );
    }
  });

  it("has the corpus at hand", () => expect(invoices.length).toBeGreaterThanOrEqual(21));

  it.each(invoices)("routes the invoice $path", async (entry) => {
    const job = await processed(target, entry);
    const language = languageOf(entry);
    const isKnown = statesOf(job.pipeline.nodes).extract_invoice === "COMPLETED";
    told.set(language, [...(told.get(language) ?? []), isKnown]);
    await expectInvoice(target, job);
  });

  it("routes a safety data sheet", async () => {
    const job = await target.api.processed(Buffer.from(SAFETY_DATA_SHEET), command, TEXT);
    expect(statesOf(job.pipeline.nodes)).toEqual(SHEET_STATES);
    expect(await jsonOf(target, `/job/result/${job.guid}/json`)).toEqual({
      branch: "safety_data_sheet",
      data: { product_name: "Lemon Cleaner 500", signal_word: "Warning" },
    });
  });

  it("routes forms and long documents as other documents", async () => {
    const { schema } = router().nodes[0] ?? {};
    const taken: string[] = [];
    for (const { path } of manifest.files.filter(({ kind }) => kind === "acroform" || kind === "long-document")) {
      const bytes = new Uint8Array(readFileSync(join(CORPUS, path)));
      const { mimeType } = sniffDocument(bytes, undefined, path);
      const { layout } = await readDocument(bytes, { mimeType, ocr: "NONE" });
      const { result } = extractOffline(layout, { schema: parseSchema(schema as Json), granularity: "auto" });
      if ((result as Record<string, Json>).document_type === "invoice") taken.push(path);
    }
    expect(taken).toEqual([]);
  });
});

/** Recognises a safety data sheet by its title, and answers an invoice with its manifest entry. */
const answers = ({ facts }: Pick<Entry, "facts">): ModelScript => {
  const { invoice_number = null, net_total = null } = facts.expected_common ?? {};
  return ({ user }) => {
    const isSheet = /safety data sheet/i.test(user);
    if (user.includes("document_type")) {
      return answerJson({ document_type: isSheet ? "safety_data_sheet" : "invoice" });
    }
    return answerJson(
      isSheet ? { product_name: "Lemon Cleaner 500", signal_word: "Warning" } : { invoice_number, net_total },
    );
  };
};

describe.skipIf(!present)("the router, with a model", () => {
  let server: ModelServer;
  let target: TestService;
  beforeAll(async () => {
    server = await startModelServer();
    const env = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: server.url, LLM_MODEL_DEFAULT: "a-model" };
    target = await startTestService({ ocr, env, jobTimeoutSeconds: 120 });
  });
  afterAll(async () => {
    await target.close();
    await server.close();
  });

  it.each(invoices)("routes the invoice $path", async (entry) => {
    const before = server.requests.length;
    server.play(answers(entry));
    const job = await processed(target, entry);
    const { invoice_number, net_total } = entry.facts.expected_common ?? {};
    // Leaves out values that the model does not find.
    const data = JSON.parse(JSON.stringify({ invoice_number, net_total }));
    expect(await expectInvoice(target, job)).toEqual(data);
    // A node asks once, and once more about values that are not in the document.
    const asked = server.requests.length - before;
    expect(asked).toBeGreaterThanOrEqual(2);
    expect(job.usage.llmTokens).toBe(asked * 120);
  });

  it("routes a safety data sheet", async () => {
    server.play(answers({ facts: {} }));
    const job = await target.api.processed(Buffer.from(SAFETY_DATA_SHEET), command, TEXT);
    expect(statesOf(job.pipeline.nodes)).toEqual(SHEET_STATES);
  });
});
