/** Knowledge bases as evidence: for fields that the document leaves open, and for a model's values that it does not print. */
import { MIN_OFFLINE_CONFIDENCE } from "../engine/confidence/withhold-unsure.ts";
import { writeLayout } from "../engine/layout/layout-file.ts";
import { adoptEvidenceTask } from "../engine/tasks/adopt-evidence.ts";
import { openFieldsTask } from "../engine/tasks/open-fields.ts";
import type { TaskInput } from "../ports/engine.ts";
import { JobFailure, NotFound } from "../ports/errors.ts";
import { LAYOUT_VERSION } from "../ports/layout.ts";
import type { ToolRequest } from "../ports/tools.ts";
import { findCaseDocument } from "../service/cases/case-documents.ts";
import { findingOf, passagesOf, TOOL_NAME } from "../service/knowledge/knowledge-tools.ts";
import { type FoundPassage, searchKnowledgeBase } from "../service/knowledge/search-passages.ts";
import type { Organization } from "../service/organizations/organization.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import type { StepRun } from "../service/runs/run-step.ts";
import { loadPages } from "./load-layout.ts";
import type { RulesTrace } from "./trace-rules.ts";
import type { LocatedResult } from "./with-receipt.ts";

type Evidence = TaskInput<typeof adoptEvidenceTask>;

/** Most documents, and most pages of each, that are tried as evidence: the best hits come first. */
const MAX_EVIDENCE_DOCUMENTS = 10;
const MAX_EVIDENCE_PAGES = 10;

/** The pages of the passages' documents, the best documents first. */
async function loadEvidence(org: Organization, passages: readonly FoundPassage[]): Promise<Evidence["others"]> {
  const byDocument = new Map<string, FoundPassage[]>();
  for (const passage of passages) {
    byDocument.set(passage.documentId, [...(byDocument.get(passage.documentId) ?? []), passage]);
  }
  const others: Evidence["others"] = [];
  for (const [documentId, hits] of [...byDocument].slice(0, MAX_EVIDENCE_DOCUMENTS)) {
    const caseId = hits[0]?.caseId ?? 0;
    const found = await findCaseDocument(org, caseId, documentId);
    if (found?.state.layoutKey === undefined) continue;
    const wanted = [...new Set(hits.map(({ pageNumber }) => pageNumber))].slice(0, MAX_EVIDENCE_PAGES);
    const { facts, pages } = await loadPages(org, found.state.layoutKey, () => wanted);
    const layout = writeLayout({ ...facts, v: LAYOUT_VERSION, pages });
    others.push({ document: { caseId, documentId, filename: found.document.fileName }, layout });
  }
  return others;
}

async function adopt(
  { org, deadline }: StepRun,
  { result, sources, facts }: LocatedResult,
  passages: readonly FoundPassage[],
  request: Evidence["request"],
): Promise<LocatedResult> {
  const others = await loadEvidence(org, passages);
  if (others.length === 0) return { result, sources, facts };
  const done = await org.engines.documents.run(adoptEvidenceTask, { result, sources, others, request }, { deadline });
  const { length } = done.adopted;
  return {
    result: done.result,
    sources: done.sources,
    facts: { ...facts, found: facts.found + length, unresolved: facts.unresolved - length },
  };
}

/** @throws JobFailure for a knowledge base that no longer exists */
async function search(org: Organization, { caseId, topK }: ToolRequest, question: string): Promise<FoundPassage[]> {
  try {
    return await searchKnowledgeBase(org, caseId, question, topK);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    throw new JobFailure(`Processing failed: The knowledge base ${caseId} no longer exists`);
  }
}

/**
 * Looks up the fields that the document leaves null in the knowledge bases of the command, and fills in the values that
 * the pages of the passages found print. Their source locations name the other document. @throws JobFailure
 */
export async function filledFromKnowledge<T extends LocatedResult>(
  context: StepRun,
  { tools = [], schema, granularity, minConfidence = MIN_OFFLINE_CONFIDENCE }: RunCommand,
  sure: T,
  trace: RulesTrace,
): Promise<T> {
  const { org, deadline } = context;
  if (tools.length === 0 || schema === undefined) return sure;
  const { result, sources } = sure;
  const open = await org.engines.documents.run(openFieldsTask, { result, sources, schema }, { deadline });
  const passages: FoundPassage[] = [];
  const fields: { pointer: string; documents: string[] }[] = [];
  for (const { pointer, question } of open) {
    const found: FoundPassage[] = [];
    for (const tool of tools) {
      await trace.called(
        TOOL_NAME,
        JSON.stringify({ query: question, field: pointer, caseId: tool.caseId }),
        async () => {
          const hits = await search(org, tool, question);
          found.push(...hits);
          return findingOf(hits);
        },
      );
    }
    passages.push(...found);
    fields.push({ pointer, documents: [...new Set(found.map(({ documentId }) => documentId))] });
  }
  const request = { purpose: "fill" as const, granularity, schema, fields, minConfidence };
  return { ...sure, ...(await adopt(context, sure, passages, request)) };
}

/**
 * Locates a model's values that the document does not print on the pages of the passages that its tools have found.
 * @param findings as the model was given them
 */
export async function locatedInKnowledge<T extends LocatedResult>(
  context: StepRun,
  { granularity, schema }: RunCommand,
  located: T,
  findings: readonly string[],
): Promise<T> {
  const passages = findings.flatMap(passagesOf);
  if (passages.length === 0) return located;
  const withSchema = schema === undefined ? {} : { schema };
  const request = { purpose: "locate" as const, granularity, minConfidence: 0, ...withSchema };
  return { ...located, ...(await adopt(context, located, passages, request)) };
}
