/** Shared by the suites of the model port: a driver, a clock without waiting, a server that plays a script. */
import { inspect } from "node:util";
import type { Clock } from "../../functions/ports/clock.ts";
import { JobFailure } from "../../functions/ports/errors.ts";
import type { LanguageModel, LlmTier, ModelRequest } from "../../functions/ports/llm.ts";
import { type EagerClock, eagerClock } from "../support/eager-clock.ts";
import { type ModelScript, type ModelServer, startModelServer } from "../support/model-server.ts";

export interface ModelOptions {
  baseUrl: string;
  apiKey: string;
  clock: Pick<Clock, "now" | "sleep">;
  models: Record<LlmTier, string | null>;
  random: () => number;
  /** Receives the driver's events for operators. */
  onEvent: (event: object) => void;
}

export const KEY = "sk-test-5ecret-0123456789";
const MODELS = { NANO: "tiny", MINI: null, DEFAULT: "middle", HIGH: "large" };
export const FIVE_MINUTES_MS = 300_000;

export const SCHEMA = {
  type: "object",
  properties: { total: { type: "number" } },
  required: ["total"],
  additionalProperties: false,
};

export const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  tier: "DEFAULT",
  messages: [
    { role: "system", text: "You read invoices." },
    { role: "user", text: "Total: 12" },
  ],
  format: { kind: "json", name: "invoice", schema: SCHEMA },
  ...more,
});

/** A driver and its server, new for every test. */
export class ModelBench {
  readonly #open: (options: ModelOptions) => LanguageModel;
  clock: EagerClock = eagerClock();
  events: object[] = [];
  #server: ModelServer | undefined;
  #model: LanguageModel | undefined;

  constructor(open: (options: ModelOptions) => LanguageModel) {
    this.#open = open;
  }

  get server(): ModelServer {
    if (this.#server === undefined) throw new Error("no server");
    return this.#server;
  }

  get model(): LanguageModel {
    this.#model ??= this.open();
    return this.#model;
  }

  open(more: Partial<ModelOptions> = {}): LanguageModel {
    return this.#open({
      baseUrl: this.server.url,
      apiKey: KEY,
      clock: this.clock,
      models: MODELS,
      random: () => 0.999,
      onEvent: (event) => this.events.push(event),
      ...more,
    });
  }

  answer(more: Partial<ModelRequest> = {}, milliseconds = FIVE_MINUTES_MS) {
    return this.model.answer(request(more), { deadline: this.clock.now() + milliseconds });
  }

  async start(): Promise<void> {
    this.#server = await startModelServer();
    this.#model = undefined;
    this.clock = eagerClock();
    this.events = [];
  }

  async stop(): Promise<void> {
    await this.#server?.close();
  }

  /** The error of an answer. */
  async failure(
    script: ModelScript,
    more: Partial<ModelRequest> = {},
    milliseconds = FIVE_MINUTES_MS,
  ): Promise<JobFailure> {
    this.server.play(script);
    const error: unknown = await this.answer(more, milliseconds).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof JobFailure)) throw new Error(`not a JobFailure: ${inspect(error)}`);
    return error;
  }
}
