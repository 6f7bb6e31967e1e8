/** Fair sharing between organizations on this machine: their executions and steps take turns. */
import { AsyncLocalStorage } from "node:async_hooks";
import { FairQueue } from "../../functions/adapters/local/fair-queue.ts";
import { type GroupLimit, type GroupPresence, GroupShares } from "../../functions/adapters/local/group-shares.ts";
import type { Json } from "../../functions/ports/json.ts";
import type { Step } from "../../functions/ports/workflows.ts";
import { groupOf } from "../../functions/service/organizations/engine-group.ts";

/** The group of an execution or step: its organization. */
export function organizationOf(input: Json): string {
  const id = typeof input === "object" && input !== null && !Array.isArray(input) ? input.organizationId : undefined;
  return typeof id === "number" ? groupOf(id) : "";
}

export interface OrganizationTurns {
  /** Does work of a group when the group has its turn. */
  inTurn<T>(group: string, work: () => Promise<T>): Promise<T>;
  /** Wraps steps so that each begins when its organization has its turn. */
  around<Name extends string>(steps: Record<Name, Step>): Record<Name, Step>;
  /** Waits for something else, such as a model; meanwhile others use the turn of the work that waits. */
  whileWaiting<T>(work: () => Promise<T>): Promise<T>;
}

/** A running piece of work. */
interface Turn {
  group: string;
  /** Resolves when the work may go on. */
  entered: Promise<void>;
  /** The number of its concurrent waits elsewhere. */
  away: number;
  over: boolean;
}

/** Limits the work that is done at once, in all and for each group. */
class TurnGate {
  readonly #most: number;
  readonly #shares: GroupShares;
  readonly #waiting = new FairQueue<{ group: string; go: () => void }>();
  #all = 0;

  constructor({ all, ...group }: TurnLimit, presence: GroupPresence) {
    this.#most = all;
    this.#shares = new GroupShares(group, presence);
  }

  enter(group: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#shares.seen(group);
    this.#waiting.add(group, { group, go: resolve });
    this.#advance();
    return promise;
  }

  leave(group: string): void {
    this.#all -= 1;
    this.#shares.ended(group);
    this.#advance();
  }

  #advance(): void {
    const mayWork = (group: string): boolean => this.#shares.mayWork(group);
    while (this.#all < this.#most) {
      const next = this.#waiting.take({ group: mayWork });
      if (next === undefined) return;
      this.#all += 1;
      this.#shares.began(next.group);
      next.go();
    }
  }
}

/** Pieces of work at once: of all organizations, of one that is alone, and of one beside another. */
export type TurnLimit = { all: number } & GroupLimit;

export function organizationTurns(most: TurnLimit, presence: GroupPresence): OrganizationTurns {
  const storage = new AsyncLocalStorage<Turn>();
  const gate = new TurnGate(most, presence);

  async function inTurn<T>(group: string, work: () => Promise<T>): Promise<T> {
    const turn: Turn = { group, entered: gate.enter(group), away: 0, over: false };
    await turn.entered;
    try {
      return await storage.run(turn, work);
    } finally {
      turn.over = true;
      if (turn.away === 0) void turn.entered.then(() => gate.leave(group));
    }
  }

  const stepInTurn =
    (step: Step): Step =>
    (input, context) =>
      inTurn(organizationOf(input), () => step(input, context));

  return {
    inTurn,
    around: <Name extends string>(steps: Record<Name, Step>) =>
      Object.fromEntries(
        Object.entries<Step>(steps).map(([name, step]): [string, Step] => [name, stepInTurn(step)]),
      ) as Record<Name, Step>,
    async whileWaiting(elsewhere) {
      const turn = storage.getStore();
      if (turn === undefined || turn.over) return elsewhere();
      turn.away += 1;
      if (turn.away === 1) {
        await turn.entered;
        gate.leave(turn.group);
      }
      try {
        return await elsewhere();
      } finally {
        turn.away -= 1;
        if (turn.away === 0 && !turn.over) {
          turn.entered = gate.enter(turn.group);
          await turn.entered;
        }
      }
    },
  };
}
