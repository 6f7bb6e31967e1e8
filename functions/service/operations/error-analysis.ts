/**
 * The operation error-analysis: likely errors of a result, from evidence, and from a model's judgement where there is
 * one.
 */

import { inFocus } from "../../engine/analysis/focus-areas.ts";
import { type Analysis, fieldOf, type Issue } from "../../engine/analysis/issue.ts";
import { recommendationsOf } from "../../engine/analysis/recommendations.ts";
import { judgePrompt } from "../../engine/extraction/prompts/judge-prompt.ts";
import { parameterReaderOf } from "../../engine/nodes/parameter-specs.ts";
import { findJson } from "../../engine/schema/json-text.ts";
import { analyzeErrorsTask } from "../../engine/tasks/analyze-errors.ts";
import { readPagesTask } from "../../engine/tasks/read-pages.ts";
import { Conflict } from "../../ports/errors.ts";
import { isObject, type Json, own, parseJsonBytes } from "../../ports/json.ts";
import { estimateTokens } from "../../ports/llm-tokens.ts";
import type { ModelCalls, RunLimits } from "../extraction/model-calls.ts";
import { modelOf } from "../organizations/engines.ts";
import type { Parameters, RunCommand } from "../runs/run-command.ts";
import { findBlob, loadBlob } from "./load-material.ts";
import type { Operation, OperationContext } from "./operation.ts";

/** Most issues, and most fields with their confidence, in an answer. */
const MAX_ISSUES = 200;
const MAX_FIELDS = 2_000;
/** Highest confidence of an issue that only the model sees: below that of evidence. */
const MAX_JUDGEMENT_CONFIDENCE = 0.75;
const MAX_JUDGEMENTS = 50;
const MAX_SENTENCE_CHARACTERS = 400;
/** Shares of the model's context: for the document, and for the data with its evidence. */
const DOCUMENT_CONTEXT_SHARE = 0.5;
const DATA_CONTEXT_SHARE = 0.25;

interface AnalysedResult extends Analysis {
  /** The result, for the model. */
  data: string;
}

async function analyse({ org, material, deadline }: OperationContext): Promise<AnalysedResult> {
  const { blobs, engines } = org;
  const [layout, result] = [await loadBlob(org, material.layoutKey), await loadBlob(org, material.resultKey)];
  const sources = await findBlob(org, material.sourcesKey);
  const command = material.commandKey === undefined ? undefined : await blobs.get(material.commandKey);
  const { schema } = command === undefined ? {} : parseJsonBytes<RunCommand>(command);
  const analysis = await engines.documents.run(
    analyzeErrorsTask,
    {
      layout,
      result,
      offline: material.engine === "offline",
      ...(sources === undefined ? {} : { sources }),
      ...(schema === undefined ? {} : { schema }),
      ...(material.validationErrors === undefined ? {} : { validationErrors: material.validationErrors }),
      ...(material.missing === undefined ? {} : { missing: material.missing }),
    },
    { deadline },
  );
  return { ...analysis, data: Buffer.from(result).toString("utf8") };
}

/** A sentence of a model's answer, trimmed and bounded. */
const boundedSentence = (value: Json | undefined): string =>
  typeof value === "string" ? value.replace(/\s+/g, " ").trim().slice(0, MAX_SENTENCE_CHARACTERS) : "";

/** Issues in a model's answer, for fields that the result has. */
function readJudgements(text: string, pointers: ReadonlyMap<string, string>): Issue[] {
  const found = findJson(text);
  const listed = isObject(found) ? own(found, "issues") : undefined;
  if (!Array.isArray(listed)) return [];
  return listed.slice(0, MAX_JUDGEMENTS).flatMap((one): Issue[] => {
    if (!isObject(one)) return [];
    const pointer = pointers.get(String(own(one, "field") ?? ""));
    const [issue, confidence] = [boundedSentence(own(one, "issue")), own(one, "confidence")];
    if (pointer === undefined || issue === "") return [];
    const sure =
      typeof confidence === "number"
        ? Math.max(0, Math.min(MAX_JUDGEMENT_CONFIDENCE, confidence))
        : MAX_JUDGEMENT_CONFIDENCE / 2;
    const suggestion = boundedSentence(own(one, "suggestion")) || "Compare it with the document.";
    return [{ pointer, kind: "judgement", issue, confidence: sure, suggestion, detail: "The model judged so." }];
  });
}

/**
 * Merges the model's issues with those of evidence; an issue of both stays the evidence's, with a higher confidence.
 */
function mergeJudgements(issues: readonly Issue[], judged: readonly Issue[]): Issue[] {
  const judgements = new Map(judged.map((one) => [one.pointer, one]));
  const known = new Set(issues.map(({ pointer }) => pointer));
  const both = issues.map((one) => {
    const judgement = judgements.get(one.pointer);
    if (judgement === undefined) return one;
    const confidence = Number((1 - (1 - one.confidence) * (1 - judgement.confidence / 2)).toFixed(3));
    return { ...one, confidence, detail: `${one.detail} The model sees it, too: ${judgement.issue}`.trim() };
  });
  return [...both, ...judged.filter(({ pointer }) => !known.has(pointer))].sort((a, b) => b.confidence - a.confidence);
}

async function askForJudgements(
  { org, material }: OperationContext,
  { data, issues, confidences }: AnalysedResult,
  focus: readonly string[],
  calls: ModelCalls,
  limits: RunLimits,
): Promise<Issue[]> {
  const { contextTokens } = calls.facts;
  const layout = await loadBlob(org, material.layoutKey);
  const maxTokens = Math.floor(contextTokens * DOCUMENT_CONTEXT_SHARE);
  const { pages, pageCount } = await org.engines.documents.run(readPagesTask, { layout, maxTokens }, limits);
  const evidence = issues
    .slice(0, MAX_JUDGEMENTS)
    .map((one) => `${fieldOf(one.pointer)}: ${one.issue}`)
    .join("\n");
  // A result that leaves no room for the document is judged by evidence alone.
  if (estimateTokens(data) + estimateTokens(evidence) > contextTokens * DATA_CONTEXT_SHARE || pages.length === 0)
    return [];
  const prompt = judgePrompt({ fence: calls.fence(), pages, pageCount, data, evidence, focus });
  const { text } = await calls.ask(prompt, { kind: "json", name: "judgement" });
  const pointers = new Set([...Object.keys(confidences), ...issues.map(({ pointer }) => pointer)]);
  return readJudgements(text, new Map([...pointers].map((pointer) => [fieldOf(pointer), pointer])));
}

function analysisAnswer(analysis: Analysis, issues: readonly Issue[], parameters: Parameters): Json {
  const threshold = Number(parameters.confidence_threshold);
  const detailed = parameters.detailed_suggestions === true;
  const reported = issues.filter(({ confidence }) => confidence >= threshold).slice(0, MAX_ISSUES);
  const fields = Object.entries(analysis.confidences).slice(0, MAX_FIELDS);
  return {
    analysis: {
      overall_confidence: analysis.overall ?? 0,
      field_confidence: Object.fromEntries(fields.map(([pointer, confidence]) => [fieldOf(pointer), confidence])),
      potential_issues: reported.map(({ pointer, kind, issue, confidence, suggestion, detail }) => ({
        field: fieldOf(pointer),
        pointer,
        kind,
        issue,
        confidence,
        suggestion: detailed && detail !== "" ? `${suggestion} ${detail}` : suggestion,
      })),
    },
    recommendations: recommendationsOf(reported, analysis.recognised, detailed),
  };
}

export const errorAnalysis: Operation = {
  type: "error-analysis",
  summary: "what may be wrong with the result (focus_areas, confidence_threshold from 0 to 1, detailed_suggestions)",
  read: parameterReaderOf("error-analysis"),
  require({ guid, layoutKey, resultKey, resultType }) {
    if (layoutKey === undefined || resultKey === undefined || resultType !== "application/json") {
      throw new Conflict(`Job ${guid} has no extracted data to analyze; process it with a schema or a prompt first`);
    }
  },
  async run(context, parameters) {
    const analysed = await analyse(context);
    const focus = Array.isArray(parameters.focus_areas) ? parameters.focus_areas.map(String) : [];
    const { org, tier, ask } = context;
    const judgements =
      ask === null ? [] : await ask((calls, limits) => askForJudgements(context, analysed, focus, calls, limits));
    const issues = inFocus(mergeJudgements(analysed.issues, judgements), focus);
    const engine = ask === null ? "offline" : (modelOf(org.engines, tier)?.facts(tier).model ?? "offline");
    return { result: analysisAnswer(analysed, issues, parameters), engine };
  },
};
