/** Knowledge bases as tools of a model, the same here and deployed. */
import { expect, it } from "vitest";
import { contracts, INVOICE, INVOICE_SCHEMA, PDF } from "../support/knowledge-bases.ts";
import { answerJson, callTools, type ModelServer } from "../support/model-server.ts";
import { textPdf } from "../support/pdf.ts";
import type { TestService } from "../support/service.ts";

/** @param get the service, and the server that its model is asked at */
export function knowledgeToolSuite(get: () => { target: TestService; server: ModelServer }): void {
  it("a knowledge base is offered to the model, whose values from there are placed in the other document", async () => {
    const { server, target } = get();
    const { api } = target;
    server.play(() =>
      answerJson({ document_type: "contract", title: "Contract", summary: "A contract.", key_facts: [] }),
    );
    const { caseId, documentId } = await contracts(api);
    server.play((request) =>
      (request.body.messages as { role: string }[]).some(({ role }) => role === "tool")
        ? answerJson({ invoice_number: "INV-2041", customer_number: "4711-K" })
        : callTools([{ name: "search_knowledge_base", arguments: { query: "customer number" } }]),
    );
    const tools = [{ type: "KNOWLEDGE_BASE_SEARCH", config: { caseId, topK: 2 } }];
    const command = { schema: INVOICE_SCHEMA, tools, sourceLocations: true, trace: true };
    const { guid, status } = await api.processed(await textPdf(INVOICE), command, { type: PDF });
    expect(status).toBe("COMPLETED");
    expect((await api.get(`/job/result/${guid}`)).json.customer_number).toBe("4711-K");
    const { locations } = (await api.get(`/job/result/${guid}/source-locations`)).json;
    expect(locations["/invoice_number"].pageAnchors).toHaveLength(1);
    expect(locations["/customer_number"]).toMatchObject({ pageAnchors: [], document: { caseId, documentId } });
    const { events } = (await api.get(`/job/trace/${guid}`)).json;
    const end = events.find(({ type }: { type: string }) => type === "tool_end");
    expect(JSON.parse(end.response)[0]).toMatchObject({ documentId, filename: "contract.pdf", pageNumber: 1 });
  });
}
