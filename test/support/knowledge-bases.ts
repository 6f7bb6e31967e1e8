/** Knowledge bases of end-to-end tests. */
import { expect } from "vitest";
import { type Answer, type Api, form } from "./api.ts";
import { textPdf } from "./pdf.ts";

const WAIT_ROUNDS = 150;
const WAIT_MS = 200;
export const PDF = "application/pdf";

const CONTRACT = [
  { text: "Supply Contract", x: 72, y: 720, size: 20 },
  { text: "The supplier Northwind delivers roasted coffee to the buyer every month.", x: 72, y: 690 },
  { text: "Customer number: 4711-K", x: 72, y: 660 },
  { text: "Payment is due within thirty days of the invoice.", x: 72, y: 630 },
];

/** Searches a knowledge base until the answer is as wanted. */
export async function searched(
  api: Api,
  caseId: number,
  question: string,
  wanted: (found: { documentId: string }[]) => boolean,
): Promise<Answer> {
  const ask = () => api.get(`/knowledge-bases/${caseId}/search?q=${encodeURIComponent(question)}&topK=3`);
  let answer = await ask();
  for (let round = 0; round < WAIT_ROUNDS && !(answer.status === 200 && wanted(answer.json)); round += 1) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    answer = await ask();
  }
  expect(answer.status, answer.text).toBe(200);
  expect(wanted(answer.json), answer.text).toBe(true);
  return answer;
}

/** Makes a case. @returns its id */
export async function newCase(api: Api, name = "Contracts"): Promise<number> {
  const answer = await api.post("/cases", { json: { name } });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.id;
}

/** Puts a document into a case. @returns its id */
export async function put(api: Api, caseId: number, bytes: Uint8Array | string, name: string): Promise<string> {
  const body = typeof bytes === "string" ? form(bytes, { name }) : form(bytes, { name, type: PDF });
  const answer = await api.post(`/cases/${caseId}/documents`, { body });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.documentId;
}

/** Makes a case a knowledge base. */
export const promote = (api: Api, caseId: number | string): Promise<Answer> =>
  api.post("/knowledge-bases", { json: { caseId } });

/** A knowledge base with the contract, once it is found. */
export async function contracts(api: Api): Promise<{ caseId: number; documentId: string }> {
  const caseId = await newCase(api);
  const documentId = await put(api, caseId, await textPdf(CONTRACT), "contract.pdf");
  expect((await promote(api, caseId)).status).toBe(201);
  await searched(api, caseId, "coffee", (found) => found.length > 0);
  return { caseId, documentId };
}

/** True when a document is among the passages. */
export const has =
  (documentId: string) =>
  (found: readonly { documentId: string }[]): boolean =>
    found.some((one) => one.documentId === documentId);

/** An invoice that does not print the customer number, which the contract prints. */
export const INVOICE = [
  { text: "Invoice Number: INV-2041", x: 72, y: 700 },
  { text: "Invoice Date: 2026-01-15", x: 72, y: 680 },
  { text: "Total: 1250.75", x: 72, y: 660 },
];
export const INVOICE_SCHEMA = {
  type: "object",
  properties: { invoice_number: { type: "string" }, customer_number: { type: "string" } },
};
