/**
 * What a step asked of others, kept before it is used: a step that is begun anew, after a crash or a passing failure,
 * takes the answers that are there and asks only what was under way.
 */
import { createHash } from "node:crypto";
import { JobFailure } from "../errors.ts";
import type { Blobs } from "../ports.ts";

interface Recorded<T> {
  v: 1;
  answer?: T;
  /** The sentence of a final failure: what comes of it is the same again. */
  failure?: string;
}

export class RecordedAnswers {
  readonly #blobs: Pick<Blobs, "get" | "put">;
  readonly #prefix: string;
  readonly #asked = new Map<string, number>();

  /** @param prefix of the blobs, of this step's alone; they go with the job's other files */
  constructor(blobs: Pick<Blobs, "get" | "put">, prefix: string) {
    this.#blobs = blobs;
    this.#prefix = prefix;
  }

  /**
   * The answer to a question, asked at most once. Equal questions of one step are told apart by their order.
   * @param question all that the answer depends on @param ask gives what JSON can hold
   * @throws what `ask` throws; a JobFailure, once recorded, with the same sentence
   */
  async once<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const hash = createHash("sha256").update(question).digest("hex");
    const before = this.#asked.get(hash) ?? 0;
    this.#asked.set(hash, before + 1);
    const key = `${this.#prefix}/${hash}-${before}.json`;
    const bytes = await this.#blobs.get(key);
    if (bytes !== undefined) {
      const { answer, failure } = JSON.parse(Buffer.from(bytes).toString("utf8")) as Recorded<T>;
      if (failure !== undefined) throw new JobFailure(failure);
      return answer as T;
    }
    try {
      const answer = await ask();
      await this.#keep(key, { v: 1, answer });
      return answer;
    } catch (error) {
      if (error instanceof JobFailure && !error.retryable) await this.#keep(key, { v: 1, failure: error.message });
      throw error;
    }
  }

  async #keep(key: string, value: Recorded<unknown>): Promise<void> {
    await this.#blobs.put(key, Buffer.from(JSON.stringify(value)), { contentType: "application/json" });
  }
}
