/** Calls of a round's clients, and their answers: the checker reads nothing else of them. */

/** A job of a client. A member is set when its answer came: from then on the service must keep it. */
export interface ClientJob {
  name: string;
  kind: JobKind;
  /** A word that only this job's document has. */
  word: string;
  /** From the acknowledged upload. */
  guid?: string;
  /** The acknowledged command. */
  processed?: boolean;
  /** As the client saw it. */
  end?: { status: string; error: string | null; runs: number };
  result?: unknown;
}

/** `text`: the document's text; `extract`: data by the model; `queue`: a pipeline whose node waits in a queue. */
export const JOB_KINDS = ["text", "extract", "queue"] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export interface ReceivedEvent {
  id: string;
  jobGuid: string;
  run: number;
  type: string;
  acknowledged: boolean;
}

export class History {
  readonly jobs: ClientJob[] = [];
  readonly events: ReceivedEvent[] = [];
  /** Answers by status, with 0 for a broken connection. */
  readonly answers = new Map<number, number>();
  /** Answers that no client may see, such as a 500. */
  readonly wrong: string[] = [];
  readonly injections: string[] = [];

  answered(status: number): void {
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
  }
}
