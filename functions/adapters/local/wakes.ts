/** Wakes in the memory of the only process. */
import type { Wakes } from "../../ports/wakes.ts";

export function memoryWakes(): Wakes {
  const watching = new Map<string, Set<() => void>>();
  return {
    wake(name) {
      for (const resolve of watching.get(name) ?? []) resolve();
    },
    watch(name) {
      const { promise: woken, resolve } = Promise.withResolvers<void>();
      const others = watching.get(name) ?? new Set();
      watching.set(name, others.add(resolve));
      return {
        async within(milliseconds) {
          const timer = setTimeout(resolve, milliseconds);
          await woken;
          clearTimeout(timer);
        },
        close() {
          others.delete(resolve);
          if (others.size === 0 && watching.get(name) === others) watching.delete(name);
        },
      };
    },
  };
}
