/**
 * A scope ends as one: an execution, or the branches or iterations of one state. After its end nothing in it starts,
 * and
 * its waits are rejected.
 */
import { scopeOver } from "./workflows-errors.ts";

export interface Scope {
  readonly over: boolean;
  /** Ends this scope and all inner scopes. Repeatable. */
  end(): void;
  /** Calls `listener` at the end, or at once when already ended. @returns a function that removes the listener */
  onEnd(listener: () => void): () => void;
  /** A scope that ends no later than this one. */
  inner(): Scope;
  /** The promise's outcome, or a rejection as soon as the scope ends. */
  until<T>(promise: Promise<T>): Promise<T>;
}

export function makeScope(): Scope {
  const listeners = new Set<() => void>();
  let over = false;
  const scope: Scope = {
    get over() {
      return over;
    },
    end() {
      if (over) return;
      over = true;
      for (const listener of listeners) listener();
      listeners.clear();
    },
    onEnd(listener) {
      if (over) {
        listener();
        return () => {};
      }
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    inner() {
      const child = makeScope();
      child.onEnd(scope.onEnd(child.end));
      return child;
    },
    until(promise) {
      return new Promise((resolve, reject) => {
        const release = scope.onEnd(() => reject(scopeOver()));
        promise.then(resolve, reject).finally(release);
      });
    },
  };
  return scope;
}
