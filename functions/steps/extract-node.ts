import { evaluateTemplate } from "../../statemachines/pipeline/lookup.ts";
import type { ExtractNode } from "../../statemachines/pipeline/nodes/extract.ts";
import type { NodeFrame } from "../../statemachines/pipeline/nodes/node.ts";
import { pathsIn } from "../../statemachines/pipeline/templates.ts";
import { shortfallSentences } from "../engine/completeness/completeness-report.ts";
import type { SourceLocations } from "../engine/layout/source-locations.ts";
import { placeFilled, trailOf, withoutLocations } from "../engine/nodes/provenance.ts";
import { checkedInput } from "../engine/nodes/result-size.ts";
import { withoutFormulas } from "../engine/schema/formulas/calculated-fields.ts";
import { parseUserSchema } from "../engine/schema/user-schema.ts";
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
import { type ExtractedData, extractData, loadFindings } from "./extract-data.ts";
import { madeOf, sourcesOf } from "./node-origins.ts";
import { documentLayout, lossIn, type NodeSource, readSource } from "./node-source.ts";
import type { Known } from "./part-wish.ts";
import { defineStep } from "./step.ts";

type Node = NodeFrame & ExtractNode;

/** The tiers of the definition are those of models, in their case. */
const tierOf = (node: Node): LlmTier => node.tier.toUpperCase() as LlmTier;

/** The run's command as it is for this node. */
function commandOf({ command }: NodeRun, node: Node): RunCommand {
  const { schema: _, prompt: __, tools: ___, extraction: ____, ...rest } = command;
  const parsed = node.schema === null ? undefined : parseUserSchema(node.schema);
  const given = parsed !== undefined && "schema" in parsed ? parsed.schema : undefined;
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

/** Where the values stand in the document, whatever text they were read from. */
async function textPlaces(
  run: NodeRun,
  command: RunCommand,
  { places }: NodeSource,
  data: ExtractedData,
): Promise<Uint8Array> {
  if (places === "own") return data.sources;
  const { granularity, schema } = command;
  const request = { granularity, ...(schema === undefined ? {} : { schema }) };
  const { documents } = run.org.engines;
  const layout = await documentLayout(run);
  const { sources } = await documents.run(
    locateTask,
    { layout, result: data.result, request },
    { deadline: run.deadline },
  );
  if (places === "document") return sources;
  const gone = withoutLocations(parseJsonBytes<SourceLocations>(sources), places.reason);
  return encodeJson(gone);
}

/** The same; values that came from the node's input stand where that has them. */
async function placesOf(
  run: NodeRun,
  { input }: Node,
  command: RunCommand,
  source: NodeSource,
  data: ExtractedData,
): Promise<Uint8Array> {
  const places = await textPlaces(run, command, source, data);
  if (input === null || data.filled === undefined) return places;
  const sources = await sourcesOf(run, await madeOf(run, pathsIn(input)));
  const trail = trailOf(input, run.world.definition);
  const placed = placeFilled(parseJsonBytes<SourceLocations>(places), data.filled, { trail, sources });
  return encodeJson(placed);
}

async function extract(run: NodeRun, node: Node): Promise<NodeResult> {
  const { command: whole, pipeline } = run;
  const command = commandOf(run, node);
  const source = await readSource(run, node.source, node.id);
  const findings = await loadFindings(run);
  const none = { barcodes: undefined, acroForm: undefined };
  const known: Known = { layout: source.layout, ...(source.places === "own" ? findings : none) };
  const given = node.input === null ? undefined : checkedInput(node.id, await evaluateTemplate(node.input, run.world));
  const data = await extractData(run, command, known, {
    name: node.id,
    pages: "",
    traceName: nodeFileName(node.id, "trace.json"),
    whole: true,
    ...(given === undefined ? {} : { given }),
    ...(node.imageIndices === null ? {} : { pictures: node.imageIndices.map((index) => index + 1) }),
  });
  const { engine, confidence, partial = false, validationErrors = [], receipt } = data;
  const lacks = [...validationErrors.map(lackOf), ...(receipt ? shortfallSentences(receipt) : [])];
  const warnings = [...(partial ? lacks : []), ...absentPages(run, node)];
  const isLocated = node.sourceLocations || pipeline.definition.ocr.sourceLocations;
  const wanted = isLocated || (whole.sourceLocations && !pipeline.definition.nodes.some(asksForPlaces));
  return {
    written: data.result,
    engine,
    confidence,
    ...(wanted ? { sources: await placesOf(run, node, command, source, data) } : { lost: lossIn(source.places) }),
    ...(partial ? { partial, validationErrors } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(receipt === undefined ? {} : { receipt }),
  };
}

/** Pages whose pictures are asked for and that the document does not have. */
function absentPages({ world }: NodeRun, { imageIndices }: Node): string[] {
  const { pageCount } = world.document;
  if (imageIndices === null || typeof pageCount !== "number") return [];
  const absent = imageIndices.filter((index) => index >= pageCount);
  return absent.length === 0 ? [] : [`There is no page for the images ${absent.join(", ")}: their indices begin at 0`];
}

const asksForPlaces = (node: { type: string; sourceLocations?: boolean }): boolean => node.sourceLocations === true;

const lackOf = ({ pointer, message }: { pointer: string; message: string }): string =>
  `${pointer === "" ? "The result" : pointer} ${message}`;

/** Data of a text, by the model where there is one. */
export const workExtractNode = (org: Organization, input: NodeInput): Promise<NodeState> =>
  runNode<Node>(org, input, ["extract"], extract);

export const extractNode = defineStep(async (org, input) => workExtractNode(org, { ...input, node: input.node ?? "" }));
