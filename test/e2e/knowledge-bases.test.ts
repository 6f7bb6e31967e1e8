/** Knowledge bases: cases that are promoted, searched and demoted. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  contracts,
  has,
  INVOICE,
  INVOICE_SCHEMA,
  newCase,
  PDF,
  promote,
  put,
  searched,
} from "../support/knowledge-bases.ts";
import { textPdf } from "../support/pdf.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

describe("a knowledge base", () => {
  it("is a case that was promoted, until it is demoted", async () => {
    const { api } = target;
    const caseId = await newCase(api);
    expect((await api.get(`/knowledge-bases/${caseId}`)).status).toBe(404);
    const made = await promote(api, String(caseId));
    expect(made.status, made.text).toBe(201);
    expect(made.json).toMatchObject({ id: caseId, isKnowledgeBase: true });
    expect((await promote(api, caseId)).json).toEqual(made.json);
    expect((await api.get(`/knowledge-bases/${caseId}`)).json).toEqual(made.json);
    expect((await api.get("/knowledge-bases")).json).toContainEqual(made.json);
    expect((await api.get(`/cases/${caseId}`)).json.isKnowledgeBase).toBe(true);
    expect((await api.delete(`/knowledge-bases/${caseId}`)).status).toBe(204);
    for (const gone of [
      await api.get(`/knowledge-bases/${caseId}`),
      await api.delete(`/knowledge-bases/${caseId}`),
      await api.get(`/knowledge-bases/${caseId}/search?q=a`),
    ]) {
      expect(gone.status).toBe(404);
    }
    expect((await api.get(`/cases/${caseId}`)).json.isKnowledgeBase).toBe(false);
  });

  it("is made of no case that a body does not name", async () => {
    const { api } = target;
    for (const [json, path] of [
      [{}, "/caseId"],
      [{ caseId: "first" }, "/caseId"],
      [{ caseId: 1, profileType: 7 }, "/profileType"],
    ] as const) {
      const answer = await api.post("/knowledge-bases", { json });
      expect(answer.status, answer.text).toBe(400);
      expect(answer.json.errors[0].path).toBe(path);
    }
    const caseId = await newCase(api);
    const made = await api.post("/knowledge-bases", { json: { caseId, profileType: "CONTRACT" } });
    expect(made.status, made.text).toBe(201);
  });

  it("finds passages with document, page and box, in documents that come before and after its promotion", async () => {
    const { api } = target;
    const { caseId, documentId } = await contracts(api);
    const { json } = await searched(api, caseId, "who delivers roasted coffees", has(documentId));
    expect(json[0]).toMatchObject({ documentId, filename: "contract.pdf", pageNumber: 1 });
    expect(json[0].text).toContain("Northwind delivers roasted coffee");
    expect(json[0].score).toBeGreaterThan(0);
    // The line is at y 690 of a page of 792 points.
    expect(json[0].bbox.left).toBeCloseTo(1, 1);
    expect(json[0].bbox.top).toBeLessThan(102 / 72);
    expect(json[0].bbox.bottom).toBeGreaterThan(102 / 72 - 0.1);
    const later = await put(api, caseId, "Tea Contract\n\nThe supplier Oolong Ltd delivers green tea.\n", "tea.txt");
    const found = await searched(api, caseId, "green tea", has(later));
    expect(found.json[0]).toMatchObject({ documentId: later, filename: "tea.txt" });
    expect((await searched(api, caseId, "zeppelin", () => true)).json).toEqual([]);
  });

  it("finds nothing of a document that was deleted, at once", async () => {
    const { api } = target;
    const { caseId, documentId } = await contracts(api);
    const other = await put(api, caseId, "The buyer sells coffee in cups.\n", "cups.txt");
    await searched(api, caseId, "coffee", has(other));
    expect((await api.delete(`/cases/${caseId}/documents/${documentId}`)).status).toBe(204);
    const { json } = await searched(api, caseId, "coffee", () => true);
    expect(has(documentId)(json)).toBe(false);
    await searched(api, caseId, "coffee", (found) => found.length === 1 && has(other)(found));
  });

  it("is found again after it was demoted and promoted", async () => {
    const { api } = target;
    const { caseId, documentId } = await contracts(api);
    expect((await api.delete(`/knowledge-bases/${caseId}`)).status).toBe(204);
    expect((await promote(api, caseId)).status).toBe(201);
    await searched(api, caseId, "coffee", has(documentId));
  });

  it.each([
    ["no question", "", "/q"],
    ["a question over 4,000 characters", `q=${"x".repeat(4001)}`, "/q"],
    ["no passages", "q=a&topK=0", "/topK"],
    ["more passages than 50", "q=a&topK=51", "/topK"],
  ])("refuses a search with %s", async (_what, query, path) => {
    const answer = await target.api.get(`/knowledge-bases/1/search?${query}`);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.json.errors).toEqual([expect.objectContaining({ path: expect.stringContaining(path.slice(1)) })]);
  });

  it("of another organization is as unknown as one that is not there", async () => {
    const { api, other } = target;
    // Ids count in each organization: this one's must not be one of the other's own cases.
    const taken = new Set((await other.get("/cases")).json.map(({ id }: { id: number }) => id));
    let { caseId } = await contracts(api);
    while (taken.has(caseId)) ({ caseId } = await contracts(api));
    for (const id of [caseId, 999_999_999]) {
      expect((await other.get(`/knowledge-bases/${id}`)).status).toBe(404);
      expect((await other.get(`/knowledge-bases/${id}/search?q=coffee`)).status).toBe(404);
      expect((await other.delete(`/knowledge-bases/${id}`)).status).toBe(404);
      expect((await promote(other, id)).status).toBe(404);
    }
    const tools = [{ type: "KNOWLEDGE_BASE_SEARCH", config: { caseId } }];
    const guid = await other.upload("Total: 12");
    const refused = await other.post(`/document/process/${guid}`, { json: { schema: { total: "number" }, tools } });
    expect(refused.status, refused.text).toBe(400);
    expect(refused.json.errors[0].path).toBe("/tools/0/config/caseId");
    expect(refused.text).not.toContain("Contracts");
  });
});

describe("a run with a knowledge base, without a model", () => {
  it("looks up the fields that the document leaves null, and says which document they come from", async () => {
    const { api } = target;
    const { caseId, documentId } = await contracts(api);
    const command = { schema: INVOICE_SCHEMA, sourceLocations: true, trace: true };
    const invoice = await textPdf(INVOICE);
    const plain = await api.processed(invoice, command, { type: PDF });
    expect((await api.get(`/job/result/${plain.guid}`)).json).toEqual({
      invoice_number: "INV-2041",
      customer_number: null,
    });
    const tools = [{ type: "KNOWLEDGE_BASE_SEARCH", config: { caseId } }];
    const { guid, status } = await api.processed(invoice, { ...command, tools }, { type: PDF });
    expect(status).toBe("COMPLETED");
    expect((await api.get(`/job/result/${guid}`)).json).toEqual({
      invoice_number: "INV-2041",
      customer_number: "4711-K",
    });
    const { locations, unresolved } = (await api.get(`/job/result/${guid}/source-locations`)).json;
    expect(unresolved).toEqual([]);
    expect(locations["/invoice_number"]).not.toHaveProperty("document");
    expect(locations["/customer_number"]).toMatchObject({
      pageAnchors: [],
      sourceRefs: [],
      document: { caseId, documentId, filename: "contract.pdf", pageAnchors: [{ pageNumber: 1, unit: "inch" }] },
    });
    const { events, total_tool_calls } = (await api.get(`/job/trace/${guid}`)).json;
    expect(total_tool_calls).toBe(1);
    const end = events.find(({ type }: { type: string }) => type === "tool_end");
    expect(JSON.parse(end.response)[0]).toMatchObject({
      documentId,
      pageNumber: 1,
      bbox: { left: expect.any(Number) },
    });
  });
});
