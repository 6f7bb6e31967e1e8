/** Tasks of a recognition process that fail, or lack the second recogniser (s), as the picture's first byte says. */
import type { PoolTasks } from "../../functions/adapters/local/pool/protocol.ts";

const kept: Uint8Array[] = [];

/** A page without words. */
const EMPTY_PAGE = {
  page: { number: 1, width: 1, height: 1, unit: "inch", rotation: 0, blocks: [] },
  ...{ angle: 0, roles: [], tables: [], fields: [], strayInk: 0, drawn: { rules: [], bars: [] } },
};

function recognize({ bytes, secondLook }: { bytes: Uint8Array; secondLook: boolean }): unknown {
  switch (String.fromCharCode(bytes[0] ?? 0)) {
    case "m":
      for (;;) kept.push(new Uint8Array(2 ** 24).fill(1));
    case "h":
      for (;;);
    case "c":
      process.abort();
      break;
    case "s":
      return { page: EMPTY_PAGE, ...(secondLook ? { secondLookFault: "no such package" } : {}) };
    case "a":
      return { page: { number: 1 }, angle: 1000 };
    default:
      throw new Error("secret text of a document");
  }
}

export const tasks: PoolTasks = { recognize };
