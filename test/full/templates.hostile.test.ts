/** Hostile forms in the process pool: a filled form or a sentence, within time and memory. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { templateFillTask } from "../../functions/engine/tasks/template-fill.ts";
import { AppError } from "../../functions/ports/errors.ts";
import { encodeJson } from "../../functions/ports/json.ts";
import { PDF } from "../../functions/ports/media-types.ts";
import { type MemoryWatch, watchDescendants } from "../support/descendants.ts";
import { openBundledEngine } from "../support/engine-bundle.ts";
import { handForm } from "../support/hand-form.ts";
import { HOSTILE_FORMS } from "../support/hostile-forms.ts";

const MEGABYTE = 2 ** 20;
const MAX_MEMORY_BYTES = 512 * MEGABYTE;
const MAX_SECONDS = 10;
/** Before the limit: the answer needs time too. */
const DEADLINE_MS = 9_000;

const clock = systemClock();
const engine = await openBundledEngine({ jobTimeoutSeconds: MAX_SECONDS, memoryLimitBytes: MAX_MEMORY_BYTES }, clock);
const options = { images: [], flatten: false, missingIsError: false, ignoreUnknown: true };
const fill = (bytes: Uint8Array) =>
  engine.run(
    templateFillTask,
    { bytes, mimeType: PDF, request: { ...options, fields: encodeJson({ a: "text" }) } },
    { deadline: clock.now() + DEADLINE_MS },
  );

describe("hostile forms", () => {
  let memory: MemoryWatch;
  beforeAll(async () => {
    await engine.ready();
    memory = watchDescendants();
  });
  afterAll(async () => {
    memory.close();
    console.info(`hostile forms: at most ${Math.round(memory.peak() / MEGABYTE)} MB in any one process`);
    await engine.close();
  });

  it.each(Object.keys(HOSTILE_FORMS))("end with a filled form or a sentence: %s", async (name) => {
    const form = HOSTILE_FORMS[name]?.() ?? new Uint8Array();
    const started = performance.now();
    const end = await fill(form).catch((error: unknown) => error);
    const seconds = (performance.now() - started) / 1000;
    const refused = end instanceof AppError;
    console.info(`${name}: ${refused ? end.message : "filled"} in ${seconds.toFixed(1)} s`);
    expect(refused || (end as { bytes: Uint8Array }).bytes.length > 0).toBe(true);
    if (refused) expect(end.message).not.toMatch(/\n|\bat \S+:\d+|\w+Error\b|undefined/);
    expect(seconds).toBeLessThan(MAX_SECONDS);
    expect(memory.peak()).toBeLessThan(1.1 * MAX_MEMORY_BYTES);
  });

  it("leave an engine that fills the next form", async () => {
    const { bytes } = await fill(handForm({ widgets: ["/FT /Tx /T (a) /Rect [20 20 200 40]"] }));
    expect(bytes.length).toBeGreaterThan(0);
  });
});
