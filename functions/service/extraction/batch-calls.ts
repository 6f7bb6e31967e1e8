/**
 * The requests of a plan: asked concurrently, repeated for an answer that is not JSON, split for one that is cut off.
 */

import { againPrompt } from "../../engine/extraction/prompts/check-prompt.ts";
import {
  type ExtractInput,
  fieldsPrompt,
  rowsPrompt,
  simplePrompt,
} from "../../engine/extraction/prompts/extract-prompt.ts";
import type { Fence, Prompt } from "../../engine/extraction/prompts/fence.ts";
import type { Batch } from "../../engine/extraction/prompts/field-batches.ts";
import { pointerOf } from "../../engine/schema/json-pointer.ts";
import { closeTruncatedRows } from "../../engine/schema/json-text.ts";
import { halveBatchTask } from "../../engine/tasks/halve-batch.ts";
import { type ReadAnswers, readAnswersTask } from "../../engine/tasks/read-answers.ts";
import { AppError, JobFailure } from "../../ports/errors.ts";
import type { AnswerFormat, ModelAnswer, ModelImage } from "../../ports/llm.ts";
import { estimateTokens, MAX_IMAGE_TOKENS } from "../../ports/llm-tokens.ts";
import type { ExtractionRun } from "./extraction-run.ts";
import { mapConcurrently } from "./map-some.ts";

export interface AnsweredBatch {
  batch: Batch;
  prompt: Prompt;
  format: AnswerFormat;
  text: string;
  /** The answer was cut off at its greatest length. */
  cut: boolean;
}

export interface PagePicture {
  number: number;
  image: ModelImage;
}

/** Most pictures of one request, and of a run. */
const MAX_REQUEST_PICTURES = 8;
const MAX_RUN_PICTURES = 40;
/** Largest share of the context for pictures. */
const PICTURE_CONTEXT_SHARE = 0.25;

/** Fewest tokens for a repeated answer. */
const MIN_REPEAT_TOKENS = 1_000;

const NO_JSON_SENTENCE = "Processing failed: The model's answer is not valid JSON";
const CUT_OFF_SENTENCE =
  "Processing failed: The model's answer was cut off at its greatest length; ask for less, or choose pages by pageRange";

const formatOf = ({ answer }: Batch): AnswerFormat => ({
  kind: "json",
  name: "extraction",
  ...(answer.schema === undefined ? {} : { schema: answer.schema }),
});

export class BatchCalls {
  readonly #run: ExtractionRun;
  readonly #pictures = new Map<number, Promise<ModelImage | undefined>>();
  /** Description of the document, from planning. */
  documentDescription = "";

  constructor(run: ExtractionRun) {
    this.#run = run;
  }

  readonly cutOffFailure = (): JobFailure => new JobFailure(CUT_OFF_SENTENCE);

  async ask(batch: Batch): Promise<AnsweredBatch> {
    const { calls } = this.#run.collaborators;
    const fence = calls.fence();
    const prompt = await this.#prompt(batch, fence);
    const format = formatOf(batch);
    const answer = await calls.ask(prompt, format, { fence });
    return { batch, prompt, format, text: answer.text, cut: isCut(answer) };
  }

  /**
   * Asks all batches; leaves out those that the run's tokens do not pay for.
   * @throws JobFailure when even the smallest part's answer is cut off and missing rows are not counted, and when the
   * tokens pay for no batch
   */
  async askAll(batches: readonly Batch[]): Promise<AnsweredBatch[]> {
    const { calls } = this.#run.collaborators;
    const answers = await mapConcurrently(batches, (batch) => calls.ifPaid(() => this.#askWhole(batch), []));
    if (calls.unpaid !== undefined && answers.every(({ length }) => length === 0)) throw calls.unpaid;
    return answers.flat();
  }

  async #askWhole(batch: Batch): Promise<AnsweredBatch[]> {
    const answered = await this.ask(batch);
    return answered.cut ? this.#askHalves(answered) : [answered];
  }

  /**
   * Merges the answers; repeats the request for one that is not JSON.
   * @throws JobFailure when the repeated answer is not JSON
   */
  async read(answers: readonly AnsweredBatch[], maxDoubts = 0): Promise<ReadAnswers> {
    const first = await this.#readAnswers(answers, maxDoubts);
    if (first.unread.length === 0) return this.#keepLimits(first);
    const again = await mapConcurrently(answers, (answered) =>
      first.unread.includes(answered.batch.id) ? this.#repeat(answered) : Promise.resolve(answered),
    );
    const second = await this.#readAnswers(again, maxDoubts);
    if (second.unread.length > 0) throw new JobFailure(NO_JSON_SENTENCE);
    return this.#keepLimits(second);
  }

  #keepLimits(answers: ReadAnswers): ReadAnswers {
    this.#run.statedLimits.push(...answers.limits);
    return answers;
  }

  /** Pictures of the pages with recognised text, or with requested pictures, as far as the model takes them. */
  async picturesOf(numbers: readonly number[]): Promise<PagePicture[]> {
    const { collaborators, plan, request } = this.#run;
    const { facts } = collaborators.calls;
    if (collaborators.pictureOf === undefined || !facts.takesImages) return [];
    const most = Math.min(
      MAX_REQUEST_PICTURES,
      Math.floor((facts.contextTokens * PICTURE_CONTEXT_SHARE) / MAX_IMAGE_TOKENS),
    );
    const texts = plan.pages.flatMap(({ number, text }) => (numbers.includes(number) ? [text] : []));
    const tokens = [...texts, plan.findings].reduce((sum, text) => sum + estimateTokens(text), 0);
    const room = Math.floor((facts.contextTokens - facts.answerTokens / 2 - tokens) / MAX_IMAGE_TOKENS);
    const isRequested = (number: number): boolean => request.pictures?.includes(number) === true;
    const scans = plan.pages
      .filter(({ number, scan }) => (scan || isRequested(number)) && numbers.includes(number))
      .sort((one, other) => Number(isRequested(other.number)) - Number(isRequested(one.number)));
    const pictures: PagePicture[] = [];
    for (const { number } of scans.slice(0, Math.max(0, Math.min(most, room)))) {
      const image = await this.#picture(number);
      if (image !== undefined) pictures.push({ number, image });
    }
    return pictures;
  }

  /** Draws a page's picture, once. On a failure the request has the text only. */
  #picture(number: number): Promise<ModelImage | undefined> {
    const known = this.#pictures.get(number);
    if (known !== undefined) return known;
    if (this.#pictures.size >= MAX_RUN_PICTURES) return Promise.resolve(undefined);
    const { collaborators, limits } = this.#run;
    const { trace } = collaborators.calls;
    const drawn = (collaborators.pictureOf?.(number, limits) ?? Promise.resolve(undefined)).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      trace.event("error", `picture of page ${number}`, { response: error.message });
      return undefined;
    });
    this.#pictures.set(number, drawn);
    return drawn;
  }

  async #prompt(batch: Batch, fence: Fence): Promise<Prompt> {
    const { plan, request } = this.#run;
    const shown = new Set(batch.pages);
    const input: ExtractInput = {
      fence,
      pages: plan.pages.filter(({ number }) => shown.has(number)),
      findings: plan.findings,
      pictures: await this.picturesOf(batch.pages),
      schema: batch.schema,
      answer: batch.answer,
      ...(request.prompt === undefined ? {} : { prompt: request.prompt }),
      ...(request.date === undefined ? {} : { date: request.date }),
      ...(request.before !== undefined && shown.has(plan.pages[0]?.number ?? 0) ? { before: request.before } : {}),
      ...(batch.partial === true ? { partOf: plan.pages.length } : {}),
    };
    const { documentDescription: about } = this;
    if (batch.kind === "fields") return fieldsPrompt({ ...input, names: batch.names, about });
    if (batch.kind === "rows") return rowsPrompt({ ...input, name: batch.names.join(", "), own: batch.own, about });
    return simplePrompt(input);
  }

  async #askHalves(answered: AnsweredBatch): Promise<AnsweredBatch[]> {
    const { collaborators, limits } = this.#run;
    const { batch } = answered;
    const halves = await collaborators.engine.run(halveBatchTask, { batch }, limits);
    if (halves.length === 0) return [this.#keepWholeRows(answered)];
    const answers = await mapConcurrently(halves, async (half) => {
      const again = await this.ask(half);
      return again.cut ? this.#askHalves(again) : [again];
    });
    return answers.flat();
  }

  /** Keeps the complete rows of a cut-off answer for one page; the others are found missing and requested again. */
  #keepWholeRows(answered: AnsweredBatch): AnsweredBatch {
    if (answered.batch.kind !== "rows" || this.#run.collaborators.countsRows !== true) throw this.cutOffFailure();
    this.#run.cutLists.add(pointerOf(answered.batch.path));
    return { ...answered, text: closeTruncatedRows(answered.text), cut: false };
  }

  async #repeat(answered: AnsweredBatch): Promise<AnsweredBatch> {
    const { calls } = this.#run.collaborators;
    const again = againPrompt(answered.prompt.messages, answered.text);
    // A long answer is left out of the prompt when it leaves no room for another answer.
    const answer = await calls.ask(
      calls.roomFor(again) >= MIN_REPEAT_TOKENS ? again : answered.prompt,
      answered.format,
    );
    if (isCut(answer)) throw this.cutOffFailure();
    return { ...answered, text: answer.text };
  }

  #readAnswers(answers: readonly AnsweredBatch[], maxDoubts: number): Promise<ReadAnswers> {
    const { plan, collaborators, limits } = this.#run;
    return collaborators.engine.run(
      readAnswersTask,
      {
        schema: plan.schema,
        conventions: plan.conventions,
        ...(plan.list === undefined ? {} : { list: plan.list }),
        parts: answers.map(({ batch, text }) => ({
          batch: {
            id: batch.id,
            kind: batch.kind,
            path: batch.path,
            pages: batch.pages,
            own: batch.own,
            answer: formOf(batch.answer),
          },
          text,
        })),
        ...(maxDoubts > 0
          ? { printed: { texts: [...plan.pages.map(({ text }) => text), plan.findings], maxDoubts } }
          : {}),
      },
      limits,
    );
  }
}

const formOf = ({ wrapped, limits = false }: Batch["answer"]): Pick<Batch["answer"], "wrapped" | "limits"> => ({
  wrapped,
  ...(limits ? { limits } : {}),
});

const isCut = ({ finish }: ModelAnswer): boolean => finish === "length";
