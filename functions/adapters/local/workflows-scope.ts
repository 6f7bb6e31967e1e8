/**
 * A scope is what ends together: an execution, or the branches or iterations of one state. When it is over, nothing in
 * it begins any more, and what it waits for is let go.
 */
import { scopeOver } from "./workflows-errors.ts";

export interface Scope {
  readonly over: boolean;
  /** Ends it and all scopes in it; again does nothing. */
  end(): void;
  /** Calls `listener` at the end, or at once when it is over. @returns takes the listener back */
  onEnd(listener: () => void): () => void;
  /** A scope that ends with this one at the latest. */
  inner(): Scope;
  /** The promise's outcome, or a rejection as soon as the scope is over. */
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
