import { describe, expect, it } from "vitest";
import { AppError } from "../../../../../functions/ports/errors.ts";
import { cpuSeconds } from "../../../../support/cpu.ts";
import { fill } from "../../../../support/filled-form.ts";
import { HOSTILE_FORMS } from "../../../../support/hostile-forms.ts";

/** The full run tries all of them, in a process with a limit of memory. */
const SLOW = /thousand|megabytes|numbers|packed|zeros|escaped/u;

describe("fillForm on hostile files", () => {
  it.each(Object.keys(HOSTILE_FORMS).filter((name) => !SLOW.test(name)))("ends within a second on %s", async (name) => {
    const form = HOSTILE_FORMS[name]?.() ?? new Uint8Array();
    const start = process.cpuUsage();
    const end = await fill(form, { a: "text" }, { ignoreUnknown: true }).catch((error: unknown) => error);
    expect(end instanceof AppError || (end as { bytes: Uint8Array }).bytes.length > 0).toBe(true);
    expect(cpuSeconds(start)).toBeLessThan(1);
  });
});
