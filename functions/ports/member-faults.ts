/** Lists of faults in a request, bounded: a small request can have many faults, and each repeats the names around it. */
import type { MemberFault } from "./errors.ts";

/** Faults that one answer tells: more than anyone mends at once. */
const MAX_FAULTS = 100;
/** Characters of a fault's path; a longer one is cut, as no reader of it needs the rest. */
const MAX_PATH_CHARS = 1_000;
/** Characters of a fault's sentence. */
const MAX_MESSAGE_CHARS = 1_000;

/** Leaves out the middle of a long text, so that different places stay different. */
function cut(text: string, most: number): string {
  const half = Math.floor((most - 1) / 2);
  return text.length > most ? `${text.slice(0, half)}…${text.slice(-half)}` : text;
}

/** A fault with bounded texts. */
export const shortFault = ({ path, message }: MemberFault): MemberFault => ({
  path: cut(path, MAX_PATH_CHARS),
  message: cut(message, MAX_MESSAGE_CHARS),
});

/** Collects faults up to the limit, each place once. */
export class FaultList {
  readonly #faults = new Map<string, MemberFault>();

  get isEmpty(): boolean {
    return this.#faults.size === 0;
  }

  /** True when further faults are not listed: a search for them may end. */
  get isFull(): boolean {
    return this.#faults.size >= MAX_FAULTS;
  }

  /** @param path JSON Pointer @param message the rest of a sentence about the member */
  add(path: string, message: string): void {
    if (this.isFull) return;
    const fault = shortFault({ path, message });
    if (!this.#faults.has(fault.path)) this.#faults.set(fault.path, fault);
  }

  /** The faults; with a last one that says so, when there are or may be more. */
  get all(): MemberFault[] {
    const faults = [...this.#faults.values()];
    return this.isFull ? [...faults, { path: "", message: "may have more faults; these are the first" }] : faults;
  }
}
