/**
 * What a step asked of others, kept before it is used: a step that is begun anew, after a crash or a passing failure,
 * takes the answers that are there and asks only what was under way. A step that is done twice at once, as a queue may
 * deliver it, asks twice; but the answer that is kept first is the answer of both, so that both make the same of it.
 */
import { createHash } from "node:crypto";
import type { Blobs } from "../../ports/blobs.ts";
import { ConditionFailed, JobFailure } from "../../ports/errors.ts";
import { encodeJson, parseJsonBytes } from "../../ports/json.ts";

interface Recorded<T> {
  v: 1;
  answer?: T;
  /** The sentence of a final failure: what comes of it is the same again. */
  failure?: string;
}

/** @throws JobFailure where it is one */
function answerOf<T>({ answer, failure }: Recorded<T>): T {
  if (failure !== undefined) throw new JobFailure(failure);
  return answer as T;
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
    const known = await this.#read<T>(key);
    if (known !== undefined) return answerOf(known);
    let own: Recorded<T>;
    let thrown: unknown;
    try {
      own = { v: 1, answer: await ask() };
    } catch (error) {
      if (!(error instanceof JobFailure) || error.retryable) throw error;
      own = { v: 1, failure: error.message };
      thrown = error;
    }
    const kept = await this.#keep(key, own);
    if (kept === own && thrown !== undefined) throw thrown;
    return answerOf(kept);
  }

  async #read<T>(key: string): Promise<Recorded<T> | undefined> {
    const bytes = await this.#blobs.get(key);
    return bytes && parseJsonBytes<Recorded<T>>(bytes);
  }

  /** @returns what is there then: another's, where that was first */
  async #keep<T>(key: string, own: Recorded<T>): Promise<Recorded<T>> {
    try {
      const options = { contentType: "application/json", ifAbsent: true };
      await this.#blobs.put(key, encodeJson(own), options);
      return own;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      return (await this.#read<T>(key)) ?? own;
    }
  }
}
