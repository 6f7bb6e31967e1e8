/** Cases: folders of documents that are kept until they are deleted. */
import * as z from "zod";
import { MAX_CASE_DOCUMENTS } from "../service/cases/case-places.ts";
import { createCase, listCases, loadCase, MAX_CASES, updateCase } from "../service/cases/cases.ts";
import { deleteCase } from "../service/lifecycle/delete-case.ts";
import { caseDocumentRoutes } from "./case-documents.ts";
import { CASE_EXAMPLE, caseReply } from "./case-replies.ts";
import { json, ok } from "./http/reply.ts";
import { route } from "./http/route.ts";
import { Case, CaseChange, CaseWish, caseParams } from "./schemas/cases.ts";

const TAG = "Cases";
export const list = route({
  method: "GET",
  path: "/cases",
  scope: "read",
  tag: TAG,
  summary: "The cases, by id",
  replies: { 200: { description: "All of them", schema: z.array(Case), example: [CASE_EXAMPLE] } },
  async run(_input, { org }) {
    return ok((await listCases(org)).map((one) => caseReply(org, one)));
  },
});

export const create = route({
  method: "POST",
  path: "/cases",
  scope: "write",
  tag: TAG,
  summary: "Make a case",
  description: `A case keeps up to ${MAX_CASE_DOCUMENTS} documents until they are deleted. At most ${MAX_CASES.toLocaleString("en-US")} cases.`,
  idempotent: true,
  body: { kind: "json", schema: CaseWish, required: true, examples: { claim: { name: "Claim 2026-114" } } },
  errors: [400, 409],
  replies: { 201: { description: "The case", makes: "case", schema: Case, example: CASE_EXAMPLE } },
  async run({ body, newGuid, idempotencyKey }, { org, caller }) {
    const { name, description } = body;
    const request = idempotencyKey === undefined ? {} : { request: newGuid };
    const made = { name, description: textOrNull(description), userId: caller.keyId, ...request };
    return json(201, caseReply(org, await createCase(org, made)));
  },
});

const textOrNull = (text: string | undefined): string | null =>
  text === undefined || text.trim() === "" ? null : text;

export const read = route({
  method: "GET",
  path: "/cases/{caseId}",
  scope: "read",
  tag: TAG,
  summary: "A case",
  params: caseParams,
  errors: [404],
  replies: { 200: { description: "The case", schema: Case, example: CASE_EXAMPLE } },
  async run({ params: { caseId } }, { org }) {
    return ok(caseReply(org, (await loadCase(org, caseId)).value));
  },
});

export const update = route({
  method: "PUT",
  path: "/cases/{caseId}",
  scope: "write",
  tag: TAG,
  summary: "Rename a case, or describe it anew",
  description:
    "409 when another request changes the case at the same time, and when `updatedAt` is not that of the case any more.",
  params: caseParams,
  body: { kind: "json", schema: CaseChange, required: true, examples: { name: { name: "Claim 2026-114, closed" } } },
  errors: [400, 404, 409],
  replies: { 200: { description: "The case", schema: Case, example: CASE_EXAMPLE } },
  async run({ params: { caseId }, body }, { org }) {
    const { name, description, updatedAt } = body;
    const change = { name, ...(description === undefined ? {} : { description: textOrNull(description) }) };
    return ok(caseReply(org, await updateCase(org, caseId, change, updatedAt)));
  },
});

export const remove = route({
  method: "DELETE",
  path: "/cases/{caseId}",
  scope: "write",
  tag: TAG,
  summary: "Delete a case with its documents",
  description: "The case is gone at once; the files of its documents are deleted within moments.",
  params: caseParams,
  errors: [404, 409],
  replies: { 204: { description: "It is gone" } },
  async run({ params: { caseId } }, { org }) {
    await deleteCase(org, caseId);
    return { kind: "empty" };
  },
});

export const caseRoutes = [list, create, read, update, remove, ...caseDocumentRoutes];
