/**
 * The requests of the public clients for cases, knowledge bases and providers, on the plain routes and below /compat; each
 * answer is held to what those clients need of it.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectRecord } from "../support/client-records.ts";
import { fieldPart, filePart, PREFIXES, publicClient } from "../support/public-client.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

describe.each(PREFIXES)("%s", (_name, prefix) => {
  const { send, get, post, postParts, until } = publicClient(() => target, prefix);
  const change = (method: string, path: string, json: string) => send(method, path, json, "application/json");

  it("keeps documents in cases, with metadata, pages of them, and summaries", async () => {
    const made = await post("/cases", '{"name":"Claim","description":"Water damage"}');
    expect(made.status, made.text).toBe(201);
    expectRecord("case", made.json());
    const { id } = made.json();
    for (const one of (await get("/cases")).json()) expectRecord("case", one);
    const renamed = await change("PUT", `/cases/${id}`, '{"name":"Claim 2"}');
    expect([renamed.status, renamed.json().name, renamed.json().description]).toEqual([200, "Claim 2", "Water damage"]);
    // The command's metadata are one text part a key.
    const parts = [filePart("document", "letter.txt", "# Letter\n\nThe cellar is wet.\n", "text/plain")];
    const added = await postParts(`/cases/${id}/documents`, ...parts, fieldPart("source", "mail", "text/plain"));
    expect(added.status, added.text).toBe(201);
    const list = await get(`/cases/${id}/documents?page=0&size=20`);
    expectRecord("page", list.json());
    expectRecord("pageable", list.json().pageable);
    const [document] = list.json().content;
    expectRecord("caseDocument", document);
    expect(document).toMatchObject({ filename: "letter.txt", metadata: { source: "mail" } });
    const path = `/cases/${id}/documents/${document.documentId}`;
    const read = await until(
      () => get(path),
      (answer) => !["PENDING", "PROCESSING"].includes(answer.json().processingStatus),
    );
    expectRecord("caseDocument", read.json());
    expect(read.json().processingStatus).toBe("COMPLETED");
    expectRecord("summary", (await get(`${path}/summary`)).json());
    for (const one of (await get(`/cases/${id}/summaries`)).json()) expectRecord("summary", one);
    expect((await send("DELETE", path)).status).toBe(204);
    expect((await send("DELETE", `/cases/${id}`)).status).toBe(204);
    expect((await get(`/cases/${id}`)).status).toBe(404);
  });

  it("promotes a case to a knowledge base, and back", async () => {
    const { id } = (await post("/cases", '{"name":"Manuals"}')).json();
    // The command sends the id as it was typed.
    const promoted = await post("/knowledge-bases", `{"caseId":"${id}","profileType":"contract-analysis"}`);
    expect(promoted.status, promoted.text).toBe(201);
    const listed = (await get("/knowledge-bases")).json();
    for (const one of listed) expectRecord("case", one);
    expect(listed.map((one: { id: number }) => one.id)).toContain(id);
    expect((await get(`/knowledge-bases/${id}`)).json().isKnowledgeBase).toBe(true);
    expect((await send("DELETE", `/knowledge-bases/${id}`)).status).toBe(204);
    expect((await get(`/knowledge-bases/${id}`)).status).toBe(404);
    expect((await get(`/cases/${id}`)).json().isKnowledgeBase).toBe(false);
  });

  it.each([
    ["llm", '{"name":"n","type":"OPENAI"}', '{"name":"m","model":"a-model"}', "llmProvider", "HIGH"],
    ["ocr", '{"name":"n"}', '{"name":"m","endpoint":"https://ocr.invalid/v1"}', "ocrProvider", "DEFAULT"],
  ] as const)("keeps, changes, binds and deletes providers of %s", async (area, wish, changes, kind, key) => {
    const made = await post(`/${area}/providers`, wish);
    expect(made.status, made.text).toBe(200);
    expectRecord(kind, made.json());
    const path = `/${area}/providers/${made.json().id}`;
    const changed = await change("PATCH", path, changes);
    expect([changed.status, changed.json().name], changed.text).toEqual([200, "m"]);
    expectRecord(kind, (await get(path)).json());
    for (const one of (await get(`/${area}/providers`)).json()) expectRecord(kind, one);
    for (const one of (await get(`/${area}/keys`)).json()) expectRecord("binding", one);
    const cleared = await change("PUT", `/${area}/keys/${key}`, '{"providerId":null}');
    expect([cleared.status, cleared.json().providerId]).toEqual([200, null]);
    const verified = await post(`${path}/verify`, "");
    expect([verified.status, typeof verified.json().ok]).toEqual([200, "boolean"]);
    expect((await send("DELETE", path)).status).toBe(200);
  });

  it("reads settings, and refuses nothing for the key that a client sends with them", async () => {
    expect((await send("GET", "/settings/view?apiKey=")).status).toBe(200);
    expect((await get("/user/me")).json()).toHaveProperty("organizationId");
  });
});
