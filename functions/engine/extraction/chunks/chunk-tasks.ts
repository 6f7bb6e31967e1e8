import type { Json } from "../../../ports/json.ts";
import type { WorkLimits } from "../../../ports/limits.ts";
import { parseLayout } from "../../layout/layout-file.ts";
import type { SourceLocations } from "../../layout/source-locations.ts";
import type { DataFault } from "../../schema/data-faults.ts";
import { type ChunkAnswer, readAnswer, readHeader } from "./chunk-answer.ts";
import { type Chunks, chunksOf } from "./layout-chunks.ts";
import type { MapReduceSettings } from "./map-reduce-settings.ts";
import { formOf, headerSchemaOf, type RecordForm, withoutRest } from "./record-form.ts";
import { type Reduced, type ReduceRequest, reduceChunks } from "./reduce-chunks.ts";

interface ChunkPlanTask {
  layout: Uint8Array;
  settings: MapReduceSettings;
  schema?: Json;
  /** Somebody answers who understands a prompt, and there is one. */
  openly: boolean;
}

export interface ChunkPlan extends Chunks {
  v: 1;
  pages: SourceLocations["pages"];
  form: RecordForm;
  /** What the header is asked for; absent: what its prompt says, or a general result. */
  headerSchema?: Json;
}

interface ChunkAnswerTask {
  /** UTF-8 JSON, as extraction wrote them. */
  result: Uint8Array;
  sources: Uint8Array;
  faults: DataFault[];
  form: RecordForm;
  header: boolean;
  /** By page number: words of it that stand before the chunk. */
  skipped: [page: number, words: number][];
}

interface ReduceTask extends Omit<ReduceRequest, "chunks" | "header"> {
  chunks: { pages: number[]; answer: Uint8Array }[];
  header?: Uint8Array;
}

/** Named of what is wrong: a record holds them. */
const MOST_FAULTS = 100;

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const parse = <T>(bytes: Uint8Array): T => JSON.parse(decoder.decode(bytes)) as T;
const write = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));

function firstFaults(faults: DataFault[]): DataFault[] {
  const more = faults.length - MOST_FAULTS;
  return more > 0
    ? [...faults.slice(0, MOST_FAULTS), { pointer: "", message: `and ${more} more that are not listed` }]
    : faults;
}

export const mapReduceTasks = {
  async planChunks({ layout, settings, schema, openly }: ChunkPlanTask): Promise<ChunkPlan> {
    const whole = parseLayout(layout);
    const { dedupKey, header } = settings;
    const form = formOf({
      openly,
      ...(schema === undefined ? {} : { schema }),
      ...(dedupKey === undefined ? {} : { dedupKey }),
    });
    const asked = header !== undefined && header.schema === undefined && header.prompt === undefined;
    const inherited = asked ? headerSchemaOf(form) : undefined;
    const headerSchema = header?.schema ?? inherited;
    return {
      v: 1,
      ...chunksOf(whole, settings),
      pages: whole.pages.map(({ number, width, height, unit }) => ({ pageNumber: number, width, height, unit })),
      form: inherited !== undefined && form.kind === "list" ? withoutRest(form) : form,
      ...(headerSchema === undefined ? {} : { headerSchema }),
    };
  },

  async readChunkAnswer(task: ChunkAnswerTask): Promise<{ answer: Uint8Array; records: number }> {
    const { result, sources, faults, form, header, skipped } = task;
    const read = {
      data: parse<Json>(result),
      sources: parse<SourceLocations>(sources),
      faults,
      skipped: new Map(skipped),
    };
    const answer = header ? readHeader(read) : readAnswer(read, form);
    return { answer: write(answer), records: answer.records.length };
  },

  async reduceChunks(task: ReduceTask): Promise<ReducedBytes> {
    const { chunks, header, ...rest } = task;
    const { result, sources, faults, facts } = reduceChunks({
      ...rest,
      chunks: chunks.map(({ pages, answer }) => ({ pages, answer: parse<ChunkAnswer>(answer) })),
      ...(header === undefined ? {} : { header: parse<ChunkAnswer>(header) }),
    });
    return { result: write(result), sources: write(sources), faults: firstFaults(faults), facts };
  },
};

interface ReducedBytes extends Pick<Reduced, "facts" | "faults"> {
  /** UTF-8 JSON. */
  result: Uint8Array;
  sources: Uint8Array;
}

/** The tasks behind their limits. */
export interface MapReduceWork {
  plan(task: ChunkPlanTask, limits: WorkLimits): Promise<ChunkPlan>;
  read(task: ChunkAnswerTask, limits: WorkLimits): Promise<{ answer: Uint8Array; records: number }>;
  reduce(task: ReduceTask, limits: WorkLimits): Promise<ReducedBytes>;
}
