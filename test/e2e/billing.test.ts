/** Prepaid tokens as callers see them: the gate, holds, charges, the balance and its entries. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as admin from "../../bin/admin.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { ledgerOf } from "../../functions/service/organizations/organization-ledger.ts";
import { sheaf } from "../client/cli/memory-io.ts";
import { form } from "../support/api.ts";
import { answerJson, answerText, type ModelServer, startModelServer } from "../support/model-server.ts";
import { ITEM_SCHEMA, item, pagesOf, priceList, readsPrices } from "../support/price-list.ts";
import { startTestService, type TestService } from "../support/service.ts";

const GUID = "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11";
const DOCUMENT = "Invoice 17\nTotal: 12.50 EUR";
const WISH = { schema: { total: "number" } };

let dataDir: string;
let server: ModelServer;
let target: TestService;
const envOf = (mode: string, more: Record<string, string> = {}) => ({
  OPENAI_API_KEY: "sk-test",
  OPENAI_BASE_URL: server.url,
  LLM_MODEL_DEFAULT: "a-model",
  SHEAF_BILLING: mode,
  ...more,
});
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "sheaf-billing-"));
  server = await startModelServer(() => answerJson({ total: 12.5 }));
  target = await startTestService({
    dataDir,
    env: envOf("enforced", { SHEAF_CHECKOUT_URL: "https://example.com/buy" }),
  });
});
afterAll(async () => {
  await target.close();
  await server.close();
  rmSync(dataDir, { recursive: true });
});

/** Grants tokens as an operator does: on one machine by the command line, which knows that machine's records only. */
async function grant(organization: number, tokens: number, key: string): Promise<void> {
  if (target.records !== undefined) {
    const command = { kind: "grant", key, amount: tokens, reason: "a test" } as const;
    await ledgerOf(target.records, organization, systemClock()).post([command]);
    return;
  }
  const command = ["admin", "grant", String(organization), String(tokens), "--key", key];
  const { exitCode, stderr } = await sheaf(command, { env: { SHEAF_DATA_DIR: dataDir } }, [admin]);
  expect(exitCode, stderr).toBe(0);
}
const balance = async (api = target.api) => (await api.get("/billing/balance")).json;

describe("a billed job", () => {
  it("holds tokens, is charged what it used, and releases the rest once", async () => {
    await grant(1, 100_000, "first");
    const { guid, usage } = await target.api.processed(DOCUMENT, WISH);
    expect(usage).toEqual({ tokens: 120, ocrPages: 0, llmTokens: 120 });
    expect(await balance()).toMatchObject({ balance: 99_880, held: 0, available: 99_880, status: "active" });
    const { entries, days, nextCursor } = (await target.api.get("/billing/usage")).json;
    expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual(["release", "capture", "hold", "grant"]);
    expect(entries[1]).toMatchObject({ amount: -120, balance: 99_880, jobGuid: guid, run: 1, tokens: 120 });
    expect(days).toEqual([{ day: new Date().toISOString().slice(0, 10), tokens: 120 }]);
    expect(nextCursor).toBeNull();
  });

  it("is charged once for a request that is sent twice", async () => {
    const before = (await balance()).balance;
    const guid = await target.api.upload(DOCUMENT);
    const send = () =>
      target.api.post(`/document/process/${guid}`, { json: WISH, headers: { "Idempotency-Key": "billed-once" } });
    const [first, second] = await Promise.all([send(), send()]);
    expect([first.status, second.status].filter((status) => status === 200).length).toBeGreaterThan(0);
    await target.api.ended(guid);
    expect((await send()).headers.get("idempotency-replayed")).toBe("true");
    expect(await balance()).toMatchObject({ balance: before - 120, held: 0 });
  });

  it("that fails is charged what it used, and releases its hold", async () => {
    server.play([answerText("no data at all")]);
    const before = (await balance()).balance;
    const { usage, status } = await target.api.processed(DOCUMENT, WISH);
    expect({ status, tokens: usage.tokens }).toEqual({ status: "FAILED", tokens: 240 });
    expect(await balance()).toMatchObject({ balance: before - 240, held: 0 });
    server.play(() => answerJson({ total: 12.5 }));
  });

  it("stops within its tokenBudget, with a sentence", async () => {
    const before = (await balance()).balance;
    const asked = server.requests.length;
    const job = await target.api.processed(DOCUMENT, { ...WISH, tokenBudget: 50 });
    expect(job).toMatchObject({
      status: "FAILED",
      error:
        "Processing failed: The run needs more than the 50 tokens that its tokenBudget allows; raise it and process the document again",
    });
    expect(server.requests).toHaveLength(asked);
    expect(await balance()).toMatchObject({ balance: before, held: 0 });
  });

  it("stops when the last tokens are held and used", async () => {
    await grant(2, 60, "little");
    const job = await target.other.processed(DOCUMENT, WISH);
    expect(job.error).toBe(
      "Processing failed: The prepaid tokens held for this run are used up; buy more and process the document again",
    );
    expect(await balance(target.other)).toMatchObject({ balance: 60, held: 0 });
  });
});

describe("a billed batch", () => {
  it("is captured document by document from one hold", async () => {
    const before = (await balance()).balance;
    const { api } = target;
    const { guid } = (await api.post("/document/batch", { json: {} })).json;
    for (const name of ["a", "b", "c"])
      await api.post(`/document/batch/${guid}/upload`, { body: form(`${DOCUMENT} ${name}`) });
    await api.post(`/document/batch/${guid}/process`, { json: WISH });
    expect(await api.ended(guid)).toMatchObject({ status: "COMPLETED", usage: { tokens: 360, llmTokens: 360 } });
    expect(await balance()).toMatchObject({ balance: before - 360, held: 0 });
    const { entries } = (await api.get("/billing/usage")).json;
    const kinds = entries.slice(0, 5).map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(["release", "capture", "capture", "capture", "hold"]);
  });
});

describe("work in parts", () => {
  const spentBy = async (work: () => Promise<{ status: string; usage: { tokens: number } }>) => {
    const before = await balance();
    const { status, usage } = await work();
    const after = await balance();
    return { status, tokens: usage.tokens, spent: before.balance - after.balance, held: after.held };
  };

  it("in chunks at once is charged for each chunk", async () => {
    server.play(readsPrices());
    const document = await priceList([1, 2, 3].map((page) => ({ items: [item(page)] })));
    const command = { schema: ITEM_SCHEMA, mapReduce: { enabled: true, parallelProcessing: true } };
    const pdf = { name: "document.pdf", type: "application/pdf" };
    const end = await spentBy(() => target.api.processed(document, command, pdf));
    expect(end).toEqual({ status: "COMPLETED", tokens: 360, spent: 360, held: 0 });
    server.play(() => answerJson({ total: 12.5 }));
  });

  it("in chunks whose tokens are used up is PARTIAL with those that were paid for, and says why", async () => {
    await grant(2, 1_440, "for one chunk");
    const { other } = target;
    expect(await balance(other)).toMatchObject({ balance: 1_500 });
    // The first answer takes all tokens.
    const usage = { prompt_tokens: 1_200, completion_tokens: 300 };
    server.play((request) => answerJson({ records: [item(pagesOf(request)[0] ?? 0)] }, { usage }));
    const document = await priceList([1, 2, 3].map((page) => ({ items: [item(page)] })));
    const command = { schema: ITEM_SCHEMA, mapReduce: { enabled: true } };
    const job = await other.processed(document, command, { name: "document.pdf", type: "application/pdf" });
    const reason = "The prepaid tokens held for this run are used up; buy more and process the document again";
    expect(job).toMatchObject({
      status: "PARTIAL",
      error: `/records: Page 2 is missing: ${reason}; /records: Page 3 is missing: ${reason}`,
      usage: { tokens: 1_500, llmTokens: 1_500 },
    });
    expect((await other.get(`/job/result/${job.guid}/json`)).json).toEqual({ header: null, records: [item(1)] });
    expect(await balance(other)).toMatchObject({ balance: 0, held: 0, status: "exhausted" });
    expect((await other.post(`/document/process/${job.guid}`, { json: command })).status).toBe(402);
    server.play(() => answerJson({ total: 12.5 }));
  });

  it("of a pipeline is charged with its operation, from one hold", async () => {
    const nodes = [
      { id: "read", type: "extract", schema: WISH.schema },
      {
        id: "poem",
        type: "operation",
        operation: "generative-task",
        dependsOn: ["read"],
        config: { prompt: "Write a limerick" },
      },
      { id: "end", type: "final", output: "$nodes.read.result" },
    ];
    const end = await spentBy(() =>
      target.api.processed(DOCUMENT, { extractionMode: "PIPELINE", pipeline: { nodes } }),
    );
    // The operation is a job of its own, with a usage of its own.
    expect(end).toEqual({ status: "COMPLETED", tokens: 120, spent: 240, held: 0 });
    const { entries } = (await target.api.get("/billing/usage")).json;
    const kinds = entries.slice(0, 4).map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(["release", "capture", "capture", "hold"]);
  });
});

describe("the entries of a balance", () => {
  it("come in pages, and as CSV", async () => {
    const { text, headers } = await target.api.get("/billing/usage?format=csv");
    expect(headers.get("content-type")).toContain("text/csv");
    const lines = text.trimEnd().split("\r\n");
    expect(lines[0]).toBe("id,at,kind,amount,balance,held,tokens,jobGuid,run,reason");
    const all = (await target.api.get("/billing/usage")).json.entries;
    expect(lines).toHaveLength(all.length + 1);
    expect((await target.api.get(`/billing/usage?to=${all.at(-1).at}`)).json.entries).toEqual([all.at(-1)]);
    expect((await target.api.get("/billing/usage?from=2999-01-01")).json).toEqual({
      entries: [],
      days: [],
      nextCursor: null,
    });
    expect((await target.api.get("/billing/usage?cursor=none")).status).toBe(400);
  });

  it("need the scope billing", async () => {
    const answer = await target.api.get("/billing/balance", { key: target.keys.reader });
    expect(answer.status).toBe(403);
  });
});

describe("a quote", () => {
  it("has the tokens that are expected, and a bound that is held", async () => {
    const guid = await target.api.upload(DOCUMENT);
    const before = await balance();
    const quoted = await target.api.post("/quotes", { json: { guid, command: WISH } });
    expect(quoted.status).toBe(200);
    const { tokens, upperBound, lines } = quoted.json;
    expect(lines).toEqual([{ what: "model, tier DEFAULT", unit: "token", quantity: tokens, tokens }]);
    expect(upperBound).toBeGreaterThan(tokens);
    expect(await balance()).toEqual(before);
    await target.api.post(`/document/process/${guid}`, { json: WISH });
    await target.api.ended(guid);
    const { entries } = (await target.api.get("/billing/usage")).json;
    const hold = entries.find((one: { kind: string; jobGuid: string }) => one.kind === "hold" && one.jobGuid === guid);
    expect(hold.held).toBe(upperBound);
  });

  it("is made of a length too, and of a batch", async () => {
    const quote = async (json: object) => (await target.api.post("/quotes", { json })).json;
    const one = await quote({ command: WISH, pages: 1 });
    const ten = await quote({ command: WISH, pages: 10, mimeType: "application/pdf" });
    expect(ten.tokens).toBeGreaterThan(one.tokens);
    expect(ten.upperBound).toBeGreaterThan(ten.tokens);
    expect((await quote({ command: WISH, size: 100_000, mimeType: "text/plain" })).tokens).toBeGreaterThan(one.tokens);
    expect((await quote({ command: { ...WISH, extractionMode: "OCR" }, pages: 3 })).tokens).toBe(0);
    const { guid } = (await target.api.post("/document/batch", { json: {} })).json;
    for (const name of ["a", "b"]) await target.api.post(`/document/batch/${guid}/upload`, { body: form(name) });
    expect((await quote({ command: WISH, guid })).upperBound).toBeGreaterThan(one.upperBound);
  });

  it("is refused for no document, an unknown one and a wrong command", async () => {
    const status = async (json: object) => (await target.api.post("/quotes", { json })).status;
    expect(await status({ command: WISH })).toBe(400);
    expect(await status({ command: { ocr: "BEST" }, pages: 1 })).toBe(400);
    expect(await status({ command: WISH, guid: GUID })).toBe(404);
    expect(await status({ command: WISH, pages: 1, mimeType: "video/mp4" })).toBe(415);
    const awaited = { fileName: "a.pdf", mimeType: "application/pdf", size: 5 };
    const { guid } = (await target.api.post("/document/upload-url", { json: awaited })).json;
    expect(await status({ command: WISH, guid })).toBe(409);
    expect(await status({ command: { schema: { type: "nothing" } }, pages: 1 })).toBe(422);
  });

  it("is printed by sheaf quote, which leaves no document behind", async () => {
    const { api } = target;
    const jobs = async () => (await api.get("/job/list?size=1")).json.totalSize;
    const before = await jobs();
    const world = {
      env: { SHEAF_API_URL: api.url, SHEAF_TOKEN: api.key },
      files: { "a.txt": DOCUMENT, "b.txt": DOCUMENT },
    };
    const one = await sheaf(["quote", "a.txt", "--schema", JSON.stringify(WISH.schema)], world);
    expect([one.exitCode, one.stderr]).toEqual([0, ""]);
    const quoted = JSON.parse(one.stdout);
    expect(quoted.lines).toHaveLength(1);
    const two = await sheaf(["quote", "a.txt", "b.txt", "--schema", JSON.stringify(WISH.schema)], world);
    expect(JSON.parse(two.stdout)).toMatchObject({
      tokens: 2 * quoted.tokens,
      upperBound: 2 * quoted.upperBound,
      files: [{ file: "a.txt" }, { file: "b.txt" }],
    });
    expect(await jobs()).toBe(before);
  });
});

describe("billing that only records", () => {
  it("leaves the balance alone and notes the tokens", async () => {
    const own = await startTestService({ env: envOf("record") });
    try {
      const { guid, usage } = await own.api.processed(DOCUMENT, WISH);
      expect(usage.tokens).toBe(120);
      expect(await balance(own.api)).toMatchObject({ balance: 0, held: 0, status: "record" });
      const { entries } = (await own.api.get("/billing/usage")).json;
      expect(entries).toMatchObject([{ kind: "debit", amount: 0, tokens: 120, balance: 0, jobGuid: guid }]);
    } finally {
      await own.close();
    }
  });
});

describe("a document of a case", () => {
  it("is taken when the tokens are used up, FAILED until they are there and a run reads it", async () => {
    const { other: api } = target;
    expect(await balance(api)).toMatchObject({ balance: 0 });
    const caseId = (await api.post("/cases", { json: { name: "Unpaid" } })).json.id;
    const path = `/cases/${caseId}/documents`;
    const added = await api.post(path, { body: form(DOCUMENT) });
    expect(added.status, added.text).toBe(201);
    const { documentId } = added.json;
    expect(added.json.processingStatus).toBe("FAILED");
    expect((await api.get(`/job/status/${documentId}`)).json.error).toContain("No prepaid tokens were left");
    expect((await api.post(`/document/process/${documentId}`, { json: WISH })).status).toBe(402);
    await grant(2, 100_000, "for a case");
    expect((await api.post(`/document/process/${documentId}`, { json: WISH })).status).toBe(200);
    await api.ended(documentId);
    expect((await api.get(`${path}/${documentId}`)).json.processingStatus).toBe("COMPLETED");
  });
});
