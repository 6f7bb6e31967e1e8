/** Readiness of the service, for GET /health. */
import { statfs } from "node:fs/promises";

/** Bytes that must be free: room for the database's own work and one small document. */
const MIN_FREE_BYTES = 2 ** 20;

const FULL = "The disk of the service is full; its operator has to make room";

export class Readiness {
  readonly #dataDir: string;
  readonly #engineFault: () => string | undefined;
  #why: string | undefined = "The service is starting";
  #fault: string | undefined;

  /** @param engineFault why no document is taken now */
  constructor(dataDir: string, engineFault: () => string | undefined = () => undefined) {
    this.#dataDir = dataDir;
    this.#engineFault = engineFault;
  }

  /** The start is complete. */
  begin(): void {
    this.#why = undefined;
  }

  /** The service stops. */
  end(): void {
    this.#why = "The service is stopping";
  }

  /** A fault that stays until the next start. @param sentence for callers: it names nothing internal */
  fail(sentence: string): void {
    this.#fault = sentence;
  }

  /** Why the service is not ready; undefined when it is. */
  async why(): Promise<string | undefined> {
    const reason = this.#why ?? this.#fault ?? this.#engineFault();
    if (reason !== undefined) return reason;
    const { bavail, bsize } = await statfs(this.#dataDir);
    return bavail * bsize < MIN_FREE_BYTES ? FULL : undefined;
  }
}
