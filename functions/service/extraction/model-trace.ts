/** The API's trace of a run's model calls. Bounded, and without secrets. */

import type { Clock } from "../../ports/clock.ts";
import { encodeJson, parseJsonBytes } from "../../ports/json.ts";
import type { LlmTier, ModelMessage, TokenCount } from "../../ports/llm.ts";

type EventType = "llm_start" | "llm_end" | "tool_start" | "tool_end" | "chain_start" | "chain_end" | "error";

export type TraceStatus = "COMPLETED" | "PARTIAL" | "FAILED" | "CANCELLED";

interface TraceMessage {
  role: string;
  content: string;
}

interface TraceEvent {
  id: string;
  type: EventType;
  name: string;
  /** ISO 8601. */
  timestamp: string;
  duration_ms: number | null;
  model: string | null;
  messages: TraceMessage[];
  response: string | null;
  prompt_tokens: number | null;
  completion_tokens: number | null;
  total_tokens: number | null;
}

interface EventDetails {
  model?: string;
  messages?: readonly ModelMessage[];
  response?: string;
  tokens?: TokenCount;
  /** Start of the ending event, milliseconds since 1970. */
  since?: number;
}

interface TraceOptions {
  clock: Pick<Clock, "now" | "guid">;
  jobId: string;
  tier: LlmTier;
}

const MAX_TEXT_CHARACTERS = 50_000;
/** Most characters of all texts of a trace; later events have no texts. */
const MAX_TRACE_CHARACTERS = 8_000_000;
const MAX_EVENTS = 5_000;

/** API keys of this and of other services; removed from all texts. */
const SECRET_PATTERNS = [
  /\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9]{16,}/g,
  /\bsheaf_\d+_[A-Za-z0-9]+_[A-Za-z0-9_-]{8,}/g,
  /\bBearer\s+[A-Za-z0-9._~+/=-]{16,}/gi,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
];

const withoutSecrets = (text: string): string =>
  SECRET_PATTERNS.reduce((kept, secret) => kept.replace(secret, "[secret]"), text);

export class TraceRecorder {
  readonly #options: TraceOptions;
  readonly #id: string;
  readonly #start: number;
  readonly #events: TraceEvent[] = [];
  #mode: string | null = null;
  #text = 0;
  #tokens = 0;
  #calls = 0;
  #toolCalls = 0;

  constructor(options: TraceOptions) {
    this.#options = options;
    this.#id = options.clock.guid();
    this.#start = options.clock.now();
  }

  setMode(mode: string): void {
    this.#mode = mode;
  }

  /** Records an event. @returns its time in milliseconds since 1970, as `since` of the ending event */
  event(type: EventType, name: string, details: EventDetails = {}): number {
    const now = this.#options.clock.now();
    if (type === "llm_end") {
      this.#calls += 1;
      this.#tokens += details.tokens?.total ?? 0;
    }
    if (type === "tool_end") this.#toolCalls += 1;
    if (this.#events.length >= MAX_EVENTS) return now;
    this.#events.push({
      id: this.#options.clock.guid(),
      type,
      name,
      timestamp: new Date(now).toISOString(),
      duration_ms: details.since === undefined ? null : now - details.since,
      model: details.model ?? null,
      messages: (details.messages ?? []).map((message) => this.#message(message)),
      response: details.response === undefined ? null : this.#bounded(details.response),
      prompt_tokens: details.tokens?.prompt ?? null,
      completion_tokens: details.tokens?.completion ?? null,
      total_tokens: details.tokens?.total ?? null,
    });
    return now;
  }

  /** The trace so far, UTF-8 JSON. */
  toJson(status: TraceStatus): Uint8Array {
    const { clock, jobId, tier } = this.#options;
    const trace = {
      id: this.#id,
      name: "extraction",
      start_time: new Date(this.#start).toISOString(),
      end_time: new Date(clock.now()).toISOString(),
      status,
      job_id: jobId,
      extraction_mode: this.#mode,
      llm_level: tier,
      total_tokens: this.#tokens,
      total_llm_calls: this.#calls,
      total_tool_calls: this.#toolCalls,
      events: this.#events,
    };
    return encodeJson(trace);
  }

  #message(message: ModelMessage): TraceMessage {
    const images = message.role === "user" ? (message.images ?? []) : [];
    const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
    const parts = [
      message.text,
      ...images.map(({ mimeType, bytes }) => `[${mimeType}, ${bytes.length} bytes]`),
      ...calls.map(({ name, argumentsText }) => `[${name} ${argumentsText}]`),
    ];
    return { role: message.role, content: this.#bounded(parts.filter((part) => part !== "").join("\n")) };
  }

  #bounded(text: string): string {
    const room = Math.max(0, Math.min(MAX_TEXT_CHARACTERS, MAX_TRACE_CHARACTERS - this.#text));
    const kept = withoutSecrets(text.slice(0, room));
    this.#text += kept.length;
    return text.length > room ? `${kept}… (${text.length - room} more characters)` : kept;
  }
}

/** A stored trace. */
interface StoredTrace {
  extraction_mode: string | null;
  total_tokens: number;
  total_llm_calls: number;
  total_tool_calls: number;
  start_time: string;
  events: TraceEvent[];
}

const sizeOf = ({ messages, response }: TraceEvent): number =>
  messages.reduce((sum, { content }) => sum + content.length, response?.length ?? 0);

/** An event that is added to the merged trace. */
type NotedEvent = Pick<TraceEvent, "id" | "type" | "name" | "timestamp" | "duration_ms" | "response">;

/** Merges the traces of a run's parts, in order; bounded as a single trace. */
export class TraceMerger {
  readonly #events: TraceEvent[] = [];
  readonly #totals = { total_tokens: 0, total_llm_calls: 0, total_tool_calls: 0 };
  #start: string | undefined;
  #text = 0;

  /** Appends a trace. @param part UTF-8 JSON, as a recorder wrote it */
  add(part: Uint8Array): void {
    const trace = parseJsonBytes<StoredTrace>(part);
    this.#totals.total_tokens += trace.total_tokens;
    this.#totals.total_llm_calls += trace.total_llm_calls;
    this.#totals.total_tool_calls += trace.total_tool_calls;
    if (this.#start === undefined || trace.start_time < this.#start) this.#start = trace.start_time;
    for (const event of trace.events) this.#push(event);
  }

  /** Appends an event between the parts. */
  note(event: NotedEvent): void {
    if (this.#start === undefined || event.timestamp < this.#start) this.#start = event.timestamp;
    const response = event.response === null ? null : withoutSecrets(event.response.slice(0, MAX_TEXT_CHARACTERS));
    const tokens = { prompt_tokens: null, completion_tokens: null, total_tokens: null };
    this.#push({ ...event, response, model: null, messages: [], ...tokens });
  }

  #push(event: TraceEvent): void {
    if (this.#events.length >= MAX_EVENTS) return;
    this.#text += sizeOf(event);
    this.#events.push(this.#text <= MAX_TRACE_CHARACTERS ? event : { ...event, messages: [], response: null });
  }

  /** The merged trace, UTF-8 JSON; undefined when nothing was added. */
  toJson(options: TraceOptions & { mode?: string }, status: TraceStatus): Uint8Array | undefined {
    if (this.#start === undefined) return undefined;
    const { clock, jobId, tier, mode = "MAP_REDUCE" } = options;
    const trace = {
      id: clock.guid(),
      name: "extraction",
      start_time: this.#start,
      end_time: new Date(clock.now()).toISOString(),
      status,
      job_id: jobId,
      extraction_mode: mode,
      llm_level: tier,
      ...this.#totals,
      events: this.#events,
    };
    return encodeJson(trace);
  }
}
