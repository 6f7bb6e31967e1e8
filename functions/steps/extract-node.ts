import { evaluateTemplate } from "../../statemachines/pipeline/lookup.ts";
import type { ExtractNode } from "../../statemachines/pipeline/nodes/extract.ts";
import type { NodeFrame } from "../../statemachines/pipeline/nodes/node.ts";
import { pathsIn } from "../../statemachines/pipeline/templates.ts";
import { shortfallSentences } from "../engine/completeness/completeness-report.ts";
import { keepUnsure, unsureLeaves, withCandidates } from "../engine/confidence/withhold-unsure.ts";
import type { SourceLocations } from "../engine/layout/source-locations.ts";
import { placeFilled, trailOf, withoutLocations } from "../engine/nodes/provenance.ts";
import { checkedInput } from "../engine/nodes/result-size.ts";
import { withoutFormulas } from "../engine/schema/formulas/calculated-fields.ts";
import { readAcceptedSchema } from "../engine/schema/user-schema.ts";
import { locateTask } from "../engine/tasks/locate.ts";
import { encodeJson, parseJsonBytes } from "../ports/json.ts";
import type { LlmTier } from "../ports/llm.ts";
import type { Organization } from "../service/organizations/organization.ts";
import { nodeFileName } from "../service/pipelines/node-records.ts";
import {
  type NodeInput,
  type NodeResult,
  type NodeRun,
  type NodeState,
  runNode,
} from "../service/pipelines/run-node.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import { defineStep } from "./define-step.ts";
import { extractData } from "./extract-data.ts";
import type { ExtractedData, ExtractionInput } from "./extraction-part.ts";
import { loadFindings } from "./load-findings.ts";
import { loadOriginOutputs, loadSources } from "./node-origins.ts";
import { loadDocumentLayout, type NodeSource, positionLoss, readSource } from "./node-source.ts";

type Node = NodeFrame & ExtractNode;

/** Definitions name tiers in small letters. */
const tierOf = (node: Node): LlmTier => node.tier.toUpperCase() as LlmTier;

/** The run's command adapted to this node. */
function nodeCommand({ command }: NodeRun, node: Node): RunCommand {
  const { schema: _, prompt: __, tools: ___, extraction: ____, ...rest } = command;
  const given = node.schema === null ? undefined : readAcceptedSchema(node.schema);
  const schema = given === undefined || node.calculatedFields ? given : withoutFormulas(given);
  const tools = command.nodeTools?.[node.id];
  return {
    ...rest,
    llm: tierOf(node),
    granularity: node.granularity === "auto" ? command.granularity : node.granularity,
    ...(schema === undefined ? {} : { schema }),
    ...(node.prompt === null ? {} : { prompt: node.prompt }),
    ...(tools === undefined ? {} : { tools }),
  };
}

/** Source locations of the values in the document, whichever text they were read from; UTF-8 JSON. */
async function textLocations(
  run: NodeRun,
  command: RunCommand,
  { positions }: NodeSource,
  data: ExtractedData,
): Promise<Uint8Array> {
  if (positions === "own") return data.sources;
  const { granularity, schema } = command;
  const request = { granularity, ...(schema === undefined ? {} : { schema }) };
  const { documents } = run.org.engines;
  const layout = await loadDocumentLayout(run);
  const unsure = unsureLeaves(parseJsonBytes<SourceLocations>(data.sources));
  const result = unsure.length === 0 ? data.result : encodeJson(withCandidates(parseJsonBytes(data.result), unsure));
  const located = await documents.run(locateTask, { layout, result, request }, { deadline: run.deadline });
  if (positions === "document" && unsure.length === 0) return located.sources;
  const sources = keepUnsure(parseJsonBytes<SourceLocations>(located.sources), unsure);
  return encodeJson(positions === "document" ? sources : withoutLocations(sources, positions.reason));
}

/** Source locations as `textPlaces`; values filled from the node's input have the locations of the input. */
async function valueLocations(
  run: NodeRun,
  { input }: Node,
  command: RunCommand,
  source: NodeSource,
  data: ExtractedData,
): Promise<Uint8Array> {
  const positions = await textLocations(run, command, source, data);
  if (input === null || data.filled === undefined) return positions;
  const sources = await loadSources(run, await loadOriginOutputs(run, pathsIn(input)));
  const trail = trailOf(input, run.evaluation.definition);
  const placed = placeFilled(parseJsonBytes<SourceLocations>(positions), data.filled, { trail, sources });
  return encodeJson(placed);
}

async function extract(run: NodeRun, node: Node): Promise<NodeResult> {
  const { command: runCommand, pipeline } = run;
  const command = nodeCommand(run, node);
  const source = await readSource(run, node.source, node.id);
  const findings = await loadFindings(run);
  const noFindings = { barcodes: undefined, acroForm: undefined };
  const input: ExtractionInput = { layout: source.layout, ...(source.positions === "own" ? findings : noFindings) };
  const given =
    node.input === null ? undefined : checkedInput(node.id, await evaluateTemplate(node.input, run.evaluation));
  const data = await extractData(run, command, input, {
    name: node.id,
    pages: "",
    traceName: nodeFileName(node.id, "trace.json"),
    whole: true,
    ...(given === undefined ? {} : { given }),
    ...(node.imageIndices === null ? {} : { pictures: node.imageIndices.map((index) => index + 1) }),
  });
  const { engine, confidence, partial = false, validationErrors = [], receipt } = data;
  const shortfalls = [...validationErrors.map(faultSentence), ...(receipt ? shortfallSentences(receipt) : [])];
  const warnings = [...(partial ? shortfalls : []), ...missingPageWarnings(run, node)];
  const isLocated = node.sourceLocations || pipeline.definition.ocr.sourceLocations;
  const isWanted = isLocated || (runCommand.sourceLocations && !pipeline.definition.nodes.some(requestsSources));
  return {
    written: data.result,
    engine,
    confidence,
    ...(isWanted
      ? { sources: await valueLocations(run, node, command, source, data) }
      : { loss: positionLoss(source.positions) }),
    ...(partial ? { partial, validationErrors } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(receipt === undefined ? {} : { receipt }),
  };
}

/** Warns of requested page pictures that the document does not have. */
function missingPageWarnings({ evaluation }: NodeRun, { imageIndices }: Node): string[] {
  const { pageCount } = evaluation.document;
  if (imageIndices === null || typeof pageCount !== "number") return [];
  const absent = imageIndices.filter((index) => index >= pageCount);
  return absent.length === 0 ? [] : [`There is no page for the images ${absent.join(", ")}: their indices begin at 0`];
}

const requestsSources = (node: { type: string; sourceLocations?: boolean }): boolean => node.sourceLocations === true;

const faultSentence = ({ pointer, message }: { pointer: string; message: string }): string =>
  `${pointer === "" ? "The result" : pointer} ${message}`;

/** Runs an extraction node: by the model where there is one, else offline. */
export const runExtractNode = (org: Organization, input: NodeInput): Promise<NodeState> =>
  runNode<Node>(org, input, ["extract"], extract);

export const extractNode = defineStep(async (org, input) => runExtractNode(org, { ...input, node: input.node ?? "" }));
