/**
 * Asks a model again for the rows that its answer lacks, on their pages only, in rounds while that helps. The receipt
 * lists rows that are missing in the end.
 */

import type { KnownPlaces } from "../../engine/completeness/item-places.ts";
import type { ListReceipt } from "../../engine/completeness/list-receipt.ts";
import type { AddedRows, RowAnswer } from "../../engine/completeness/merge-rows.ts";
import type { RequestRoom, RowRequest } from "../../engine/completeness/row-requests.ts";
import type { RejectedRow, StatedLimit } from "../../engine/extraction/answers/stated-limits.ts";
import { missingRowsPrompt } from "../../engine/extraction/prompts/missing-rows-prompt.ts";
import type { PageContent } from "../../engine/extraction/prompts/model-content.ts";
import { addRowsTask } from "../../engine/tasks/add-rows.ts";
import { type MissingRows, missingRowsTask } from "../../engine/tasks/missing-rows.ts";
import type { TextConventions } from "../../engine/values/text-conventions.ts";
import type { Engine } from "../../ports/engine.ts";
import { AppError } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import type { ModelImage } from "../../ports/llm.ts";
import { mapConcurrently } from "./map-some.ts";
import type { ModelCalls, RunLimits } from "./model-calls.ts";

export interface CompletionRequest {
  /** The layout as the reader wrote it. */
  layout: Uint8Array;
  /** UTF-8 JSON. */
  data: Uint8Array;
  /** The schema of the data, without calculated fields. */
  schema: Json;
  prompt?: string;
  /** Limits of lists that the answers state. */
  stated?: readonly StatedLimit[];
  /** True when the schema is that of the general result. */
  general?: boolean;
  /** The date for the prompt: `yyyy-mm-dd`. */
  date?: string;
  /** Text before the pages: context for reading them. */
  before?: string;
  /** The pages as the model reads them. */
  pages: readonly PageContent[];
  conventions: TextConventions;
}

export interface CompletionCollaborators {
  calls: ModelCalls;
  engine: Pick<Engine, "run">;
  /** Pictures of pages with recognised text. */
  picturesOf?: (numbers: readonly number[]) => Promise<{ number: number; image: ModelImage }[]>;
}

export interface Completion {
  /** UTF-8 JSON. */
  data: Uint8Array;
  /** Rows of the pages that the model declared to be in no list. */
  declined: RejectedRow[];
  /** The lists, with the rows that are still missing. */
  lists: ListReceipt[];
}

/** Most rounds; a model that gives half of the requested rows gives 99 percent in seven. */
const MAX_ROUNDS = 8;
/** Consecutive rounds without progress before it stops. */
const MAX_FRUITLESS_ROUNDS = 2;
/** Most and fewest rows of one request; models lose rows of long lists. */
const MAX_REQUEST_ROWS = 120;
const MIN_REQUEST_ROWS = 5;
/** Share of the run's time reserved for later steps, and its limit in milliseconds. */
const RESERVED_TIME_SHARE = 0.15;
const MAX_RESERVED_MS = 30_000;
/** Most characters of a row in the prompt. */
const MAX_ROW_CHARACTERS = 400;

class CompletionRounds {
  readonly #request: CompletionRequest;
  readonly #collaborators: CompletionCollaborators;
  readonly #limits: RunLimits;
  readonly #reserve: number;
  readonly #pages: ReadonlyMap<number, PageContent>;
  readonly #declined = new Map<number, RejectedRow>();
  #data: Uint8Array;
  #rows = MAX_REQUEST_ROWS;

  constructor(request: CompletionRequest, collaborators: CompletionCollaborators, limits: RunLimits) {
    this.#request = request;
    this.#collaborators = collaborators;
    this.#limits = limits;
    this.#reserve = Math.min(MAX_RESERVED_MS, limits.timeoutSeconds * 1000 * RESERVED_TIME_SHARE);
    this.#pages = new Map(request.pages.map((page) => [page.number, page]));
    this.#data = request.data;
  }

  async run(): Promise<Completion> {
    const { trace } = this.#collaborators.calls;
    let state = await this.#findMissing();
    const open = new Set<number>();
    let fruitless = 0;
    for (
      let round = 1;
      round <= MAX_ROUNDS && fruitless < MAX_FRUITLESS_ROUNDS && this.#shouldContinue(state);
      round += 1
    ) {
      const since = trace.event("chain_start", `missing rows, round ${round}`, {
        response: JSON.stringify({ missing: countMissing(state.lists), requests: state.requests.length }),
      });
      const before = countMissing(state.lists);
      for (const { missing } of state.lists) for (const { order } of missing) open.add(order);
      const rows = this.#rows;
      const { removed, placed, asked } = await this.#merge(state, await this.#requestRows(state.requests));
      state = await this.#findMissing({ placed, asked, open: [...open] });
      const after = countMissing(state.lists);
      trace.event("chain_end", `missing rows, round ${round}`, { response: JSON.stringify({ missing: after }), since });
      if (after < before || removed > 0) fruitless = 0;
      else if (this.#rows === rows) {
        fruitless += 1;
        // The same request would get the same answer, so ask for fewer rows.
        this.#rows = Math.max(MIN_REQUEST_ROWS, Math.floor(this.#rows / 2));
      }
    }
    return { data: this.#data, declined: [...this.#declined.values()], lists: state.lists };
  }

  #shouldContinue({ lists, requests }: MissingRows): boolean {
    const needless = lists.some(({ repeated, empty }) => repeated.length + empty.length > 0);
    return needless || (requests.length > 0 && this.#collaborators.calls.timeLeft() > this.#reserve);
  }

  #findMissing(knownPlaces?: KnownPlaces): Promise<MissingRows> {
    const { layout, schema, prompt, stated = [], general = false } = this.#request;
    const { contextTokens, answerTokens } = this.#collaborators.calls.facts;
    const room: RequestRoom = { contextTokens, answerTokens, rows: this.#rows };
    const task = { layout, data: this.#data, schema, general, declined: [...this.#declined.keys()], room };
    return this.#collaborators.engine.run(
      missingRowsTask,
      {
        ...task,
        stated: [...stated],
        ...(prompt === undefined ? {} : { prompt }),
        ...(knownPlaces === undefined ? {} : { known: knownPlaces }),
      },
      this.#limits,
    );
  }

  /** Requests rows concurrently; after a failed request its rows stay missing. */
  async #requestRows(requests: readonly RowRequest[]): Promise<RowAnswer[]> {
    let cut = false;
    const answers = await mapConcurrently(requests, async (request): Promise<RowAnswer[]> => {
      const answer = await this.#requestAnswer(request);
      if (answer?.finish === "length") cut = true;
      if (answer === undefined || answer.finish === "length") return [];
      const { path, rows } = request;
      return [{ request: { path, rows }, text: answer.text }];
    });
    // After a cut-off answer, ask for fewer rows.
    if (cut) this.#rows = Math.max(MIN_REQUEST_ROWS, Math.floor(this.#rows / 2));
    return answers.flat();
  }

  async #requestAnswer(request: RowRequest): Promise<{ text: string; finish: string } | undefined> {
    const { calls, picturesOf } = this.#collaborators;
    const { prompt: userPrompt, date, before } = this.#request;
    if (calls.timeLeft() <= this.#reserve) return undefined;
    const prompt = missingRowsPrompt({
      fence: calls.fence(),
      pages: request.pages.flatMap((number) => this.#pages.get(number) ?? []),
      pictures: (await picturesOf?.(request.pages)) ?? [],
      schema: request.schema,
      name: request.path.slice(1).replaceAll("/", "."),
      rows: request.rows.map(({ page, text }, at) => ({ line: at + 1, page, text: text.slice(0, MAX_ROW_CHARACTERS) })),
      only: request.said,
      returned: request.returned,
      ...(userPrompt === undefined ? {} : { prompt: userPrompt }),
      ...(date === undefined ? {} : { date }),
      ...(before === undefined ? {} : { before }),
    });
    const schema = request.answer.schema;
    try {
      return await calls.ask(
        prompt,
        { kind: "json", name: "missing_rows", ...(schema === undefined ? {} : { schema }) },
        { deadline: this.#limits.deadline - this.#reserve },
      );
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // The trace records the failure; the other requests of the round go on.
      return undefined;
    }
  }

  async #merge({ lists, placed }: MissingRows, answers: RowAnswer[]): Promise<AddedRows> {
    const { schema, conventions } = this.#request;
    const short = lists.map(({ repeated, empty }) => ({ repeated, empty }));
    const done = await this.#collaborators.engine.run(
      addRowsTask,
      { schema, conventions, data: this.#data, lists: short, answers, placed },
      this.#limits,
    );
    const rejected = new Set(done.declined);
    for (const { order, page, text } of lists.flatMap(({ missing }) => missing))
      if (rejected.has(order)) this.#declined.set(order, { order, page, text });
    this.#data = done.data;
    return done;
  }
}

const countMissing = (lists: readonly ListReceipt[]): number =>
  lists.reduce((sum, { missing }) => sum + missing.length, 0);

/**
 * Completes the lists of the data with rows that its pages show. When the model fails or time runs short, the data
 * stays as far as it is completed.
 * @throws AppError, JobFailure of the engine's tasks
 */
export const completeRows = (
  request: CompletionRequest,
  collaborators: CompletionCollaborators,
  limits: RunLimits,
): Promise<Completion> => new CompletionRounds(request, collaborators, limits).run();
