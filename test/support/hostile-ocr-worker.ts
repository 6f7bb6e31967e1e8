/** Tasks of a recognition process that fail as the picture's first byte says. */
import type { PoolTasks } from "../../functions/adapters/local/pool/protocol.ts";

const kept: Uint8Array[] = [];

function recognize({ bytes }: { bytes: Uint8Array }): unknown {
  switch (String.fromCharCode(bytes[0] ?? 0)) {
    case "m":
      for (;;) kept.push(new Uint8Array(2 ** 24).fill(1));
    case "h":
      for (;;);
    case "c":
      process.abort();
      break;
    case "a":
      return { page: { number: 1 }, angle: 1000 };
    default:
      throw new Error("secret text of a document");
  }
}

export const tasks: PoolTasks = { recognize };
