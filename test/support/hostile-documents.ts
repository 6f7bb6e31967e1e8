/** Document tasks that a document controls: its text names a task of hostile-worker.ts. */
import { tasks as hostile } from "./hostile-worker.ts";

type Names = keyof typeof hostile;

const obey = (bytes: Uint8Array): unknown => {
  const run = hostile[new TextDecoder().decode(bytes) as Names] as (payload: unknown) => unknown;
  return run({ id: 1, milliseconds: 1 });
};

export const tasks = {
  read: ({ bytes }: { bytes: Uint8Array }) => obey(bytes),
  transcribe: ({ layout }: { layout: Uint8Array }) => obey(layout),
  extract: ({ layout }: { layout: Uint8Array }) => obey(layout),
  inspect: ({ bytes }: { bytes: Uint8Array }) => obey(bytes),
};
