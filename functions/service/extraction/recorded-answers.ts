/**
 * Answers of models and tools, recorded before they are used: a step that is repeated after a crash or a transient
 * failure takes the recorded answers and asks only the remaining questions. A step that runs twice concurrently, as a
 * queue may deliver it, asks twice; both use the answer that was recorded first.
 */

import { createHash } from "node:crypto";
import type { Blobs } from "../../ports/blobs.ts";
import { ConditionFailed, JobFailure } from "../../ports/errors.ts";
import { encodeJson, parseJsonBytes } from "../../ports/json.ts";

interface RecordedAnswer<T> {
  v: 1;
  answer?: T;
  /** The sentence of a final failure, thrown again by a repeated step. */
  failure?: string;
}

/** @throws JobFailure for a recorded failure */
function answerOf<T>({ answer, failure }: RecordedAnswer<T>): T {
  if (failure !== undefined) throw new JobFailure(failure);
  return answer as T;
}

export class RecordedAnswers {
  readonly #blobs: Pick<Blobs, "get" | "put">;
  readonly #prefix: string;
  readonly #occurrences = new Map<string, number>();

  /** @param prefix of the blobs, used by this step only; they are deleted with the job's files */
  constructor(blobs: Pick<Blobs, "get" | "put">, prefix: string) {
    this.#blobs = blobs;
    this.#prefix = prefix;
  }

  /**
   * The place of the answer to the next such question. Equal questions of one step are distinguished by their order.
   * @param question all that the answer depends on
   */
  place(question: string): string {
    const hash = createHash("sha256").update(question).digest("hex");
    const occurrence = this.#occurrences.get(hash) ?? 0;
    this.#occurrences.set(hash, occurrence + 1);
    return `${this.#prefix}/${hash}-${occurrence}.json`;
  }

  /** The answer to a question; see `at`. */
  once<T>(question: string, ask: () => Promise<T>): Promise<T> {
    return this.at(this.place(question), ask);
  }

  /**
   * The answer that a place has, asked at most once.
   * @param key from `place` @param ask gives a JSON value
   * @throws what `ask` throws; for a recorded failure, a JobFailure with the same sentence
   */
  async at<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const recorded = await this.#load<T>(key);
    if (recorded !== undefined) return answerOf(recorded);
    let own: RecordedAnswer<T>;
    let thrown: unknown;
    try {
      own = { v: 1, answer: await ask() };
    } catch (error) {
      if (!(error instanceof JobFailure) || error.retryable) throw error;
      own = { v: 1, failure: error.message };
      thrown = error;
    }
    const stored = await this.#record(key, own);
    if (stored === own && thrown !== undefined) throw thrown;
    return answerOf(stored);
  }

  async #load<T>(key: string): Promise<RecordedAnswer<T> | undefined> {
    const bytes = await this.#blobs.get(key);
    return bytes && parseJsonBytes<RecordedAnswer<T>>(bytes);
  }

  /** Records an answer. @returns the recorded answer, which may be an earlier, concurrent one */
  async #record<T>(key: string, own: RecordedAnswer<T>): Promise<RecordedAnswer<T>> {
    try {
      const options = { contentType: "application/json", ifAbsent: true };
      await this.#blobs.put(key, encodeJson(own), options);
      return own;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      return (await this.#load<T>(key)) ?? own;
    }
  }
}
