/**
 * Asks a model again for the rows that its answer lacks, on their pages only, in rounds while that helps; once, where
 * only rows of some kind are wanted. What is still missing then, the receipt names.
 */

import type { KnownPlaces } from "../../engine/completeness/item-places.ts";
import type { ListReceipt } from "../../engine/completeness/list-receipt.ts";
import type { AddedRows, RowAnswer } from "../../engine/completeness/merge-rows.ts";
import type { RequestRoom, RowRequest } from "../../engine/completeness/row-requests.ts";
import { missingRowsPrompt } from "../../engine/extraction/prompts/missing-rows-prompt.ts";
import type { PageContent } from "../../engine/extraction/prompts/model-content.ts";
import { addRowsTask } from "../../engine/tasks/add-rows.ts";
import { type MissingRows, missingRowsTask } from "../../engine/tasks/missing-rows.ts";
import type { TextConventions } from "../../engine/values/text-conventions.ts";
import type { Engine } from "../../ports/engine.ts";
import { AppError } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import type { ModelImage } from "../../ports/llm.ts";
import { mapSome } from "./map-some.ts";
import type { ModelCalls, RunLimits } from "./model-calls.ts";

export interface CompletionRequest {
  /** As the reader wrote it. */
  layout: Uint8Array;
  /** UTF-8 JSON. */
  data: Uint8Array;
  /** What the data must fit, without calculated fields. */
  schema: Json;
  prompt?: string;
  /** The schema is the general result's. */
  general?: boolean;
  /** Today's, for the prompt: `yyyy-mm-dd`. */
  date?: string;
  /** The pages as the model reads them. */
  pages: readonly PageContent[];
  conventions: TextConventions;
}

export interface CompletionCollaborators {
  calls: ModelCalls;
  engine: Pick<Engine, "run">;
  /** Pictures of pages whose text was recognised. */
  picturesOf?: (numbers: readonly number[]) => Promise<{ number: number; image: ModelImage }[]>;
}

export interface Completion {
  /** UTF-8 JSON. */
  data: Uint8Array;
  /** Rows of the page that the model said to be none of a list. */
  declined: number[];
  /** What is missing still. */
  lists: ListReceipt[];
}

/** A server that gives half of what it is asked for gives all but a hundredth in seven rounds. */
const MOST_ROUNDS = 8;
/** Rounds after each other that bring nothing. */
const FRUITLESS = 2;
/** Rows of one request: models lose rows of long lists. */
const MOST_ROWS = 120;
const FEWEST_ROWS = 5;
/** Of the run's time, so much is kept for what comes after; milliseconds at most. */
const RESERVE = 0.15;
const MOST_RESERVE = 30_000;
/** Characters of a row as it is named to the model. */
const LONGEST_ROW = 400;

class Rounds {
  readonly #request: CompletionRequest;
  readonly #collaborators: CompletionCollaborators;
  readonly #limits: RunLimits;
  readonly #reserve: number;
  readonly #pages: ReadonlyMap<number, PageContent>;
  readonly #declined = new Set<number>();
  #data: Uint8Array;
  #rows = MOST_ROWS;

  constructor(request: CompletionRequest, collaborators: CompletionCollaborators, limits: RunLimits) {
    this.#request = request;
    this.#collaborators = collaborators;
    this.#limits = limits;
    this.#reserve = Math.min(MOST_RESERVE, limits.timeoutSeconds * 1000 * RESERVE);
    this.#pages = new Map(request.pages.map((page) => [page.number, page]));
    this.#data = request.data;
  }

  async run(): Promise<Completion> {
    const { trace } = this.#collaborators.calls;
    let state = await this.#look();
    const open = new Set<number>();
    let fruitless = 0;
    for (let round = 1; round <= MOST_ROUNDS && fruitless < FRUITLESS && this.#wants(state); round += 1) {
      const since = trace.event("chain_start", `missing rows, round ${round}`, {
        response: JSON.stringify({ missing: countMissing(state.lists), requests: state.requests.length }),
      });
      const before = countMissing(state.lists);
      for (const { missing } of state.lists) for (const { order } of missing) open.add(order);
      const rows = this.#rows;
      const { removed, placed, asked } = await this.#add(state, await this.#ask(state.requests));
      state = await this.#look({ placed, asked, open: [...open] });
      const after = countMissing(state.lists);
      trace.event("chain_end", `missing rows, round ${round}`, { response: JSON.stringify({ missing: after }), since });
      if (after < before || removed > 0) fruitless = 0;
      else if (this.#rows === rows) {
        fruitless += 1;
        // The same question would get the same answer.
        this.#rows = Math.max(FEWEST_ROWS, Math.floor(this.#rows / 2));
      }
    }
    return { data: this.#data, declined: [...this.#declined], lists: state.lists };
  }

  #wants({ lists, requests }: MissingRows): boolean {
    const needless = lists.some(({ repeated, empty }) => repeated.length + empty.length > 0);
    return needless || (requests.length > 0 && this.#collaborators.calls.timeLeft() > this.#reserve);
  }

  #look(known?: KnownPlaces): Promise<MissingRows> {
    const { layout, schema, prompt, general = false } = this.#request;
    const { contextTokens, answerTokens } = this.#collaborators.calls.facts;
    const room: RequestRoom = { contextTokens, answerTokens, rows: this.#rows };
    const task = { layout, data: this.#data, schema, general, declined: [...this.#declined], room };
    return this.#collaborators.engine.run(
      missingRowsTask,
      { ...task, ...(prompt === undefined ? {} : { prompt }), ...(known === undefined ? {} : { known }) },
      this.#limits,
    );
  }

  /** What the rows are is known anyhow: a failing model leaves them missing. */
  async #ask(requests: readonly RowRequest[]): Promise<RowAnswer[]> {
    let cut = false;
    const answers = await mapSome(requests, async (request): Promise<RowAnswer[]> => {
      const answer = await this.#answer(request);
      if (answer?.finish === "length") cut = true;
      if (answer === undefined || answer.finish === "length") return [];
      const { path, rows } = request;
      return [{ request: { path, rows }, text: answer.text }];
    });
    // An answer that was too long is asked for in smaller parts.
    if (cut) this.#rows = Math.max(FEWEST_ROWS, Math.floor(this.#rows / 2));
    return answers.flat();
  }

  async #answer(request: RowRequest): Promise<{ text: string; finish: string } | undefined> {
    const { calls, picturesOf } = this.#collaborators;
    const { prompt: wish, date } = this.#request;
    if (calls.timeLeft() <= this.#reserve) return undefined;
    const prompt = missingRowsPrompt({
      fence: calls.fence(),
      pages: request.pages.flatMap((number) => this.#pages.get(number) ?? []),
      pictures: (await picturesOf?.(request.pages)) ?? [],
      schema: request.schema,
      name: request.path.slice(1).replaceAll("/", "."),
      rows: request.rows.map(({ page, text }, at) => ({ line: at + 1, page, text: text.slice(0, LONGEST_ROW) })),
      only: request.said,
      ...(wish === undefined ? {} : { prompt: wish }),
      ...(date === undefined ? {} : { date }),
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
      // The trace has it; the others of this round are asked for all the same.
      return undefined;
    }
  }

  async #add({ lists, placed }: MissingRows, answers: RowAnswer[]): Promise<AddedRows> {
    const { schema, conventions } = this.#request;
    const short = lists.map(({ repeated, empty }) => ({ repeated, empty }));
    const done = await this.#collaborators.engine.run(
      addRowsTask,
      { schema, conventions, data: this.#data, lists: short, answers, placed },
      this.#limits,
    );
    for (const order of done.declined) this.#declined.add(order);
    this.#data = done.data;
    return done;
  }
}

const countMissing = (lists: readonly ListReceipt[]): number =>
  lists.reduce((sum, { excused, missing }) => sum + (excused ? 0 : missing.length), 0);

/**
 * Completes the lists of some data from the rows that its pages show. A model that fails, or time that runs short, leaves
 * the data as far as it came.
 * @throws what the work throws: AppError, JobFailure
 */
export const completeRows = (
  request: CompletionRequest,
  collaborators: CompletionCollaborators,
  limits: RunLimits,
): Promise<Completion> => new Rounds(request, collaborators, limits).run();
