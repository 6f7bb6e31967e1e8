/** Malformed definitions are refused with all their faults, each with its JSON Pointer. */
import { describe, expect, it } from "vitest";
import { compilePipeline } from "../../../statemachines/pipeline/compile.ts";
import type { Diagnostic } from "../../../statemachines/pipeline/diagnostics.ts";
import { CHECKS } from "../../support/oracle/checks.ts";
import { isObject, type Json } from "../../support/oracle/scenario.ts";
import { FAULTS } from "./faults.ts";

/** True when everything on the way to the last step of a JSON Pointer exists. */
function isReachable(definition: Json, pointer: string): boolean {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  let value: Json | undefined = definition;
  for (const step of steps.slice(0, -1)) {
    value = Array.isArray(value) ? value[Number(step)] : isObject(value) ? value[step] : undefined;
    // Pointers into a missing configuration are allowed.
    if (value === undefined) return pointer.includes("/config/");
  }
  return true;
}

const shown = ({ code, path }: Diagnostic): string => `${code} ${path}`;

describe("compilePipeline with a malformed definition", () => {
  it("is tested with at least 60 definitions", () => {
    expect(FAULTS.length).toBeGreaterThanOrEqual(60);
    expect(new Set(FAULTS.map(({ what }) => what)).size).toBeGreaterThan(FAULTS.length - 8);
  });

  it.each(FAULTS)("refuses: $what", ({ definition, faults }) => {
    const compilation = compilePipeline(definition, CHECKS);
    if (compilation.ok) throw new Error("it was taken");
    expect(compilation.faults.map(shown).sort()).toEqual(faults);
    for (const { path, message } of compilation.faults) {
      expect(isReachable(definition, path)).toBe(true);
      expect(message).toMatch(/^["$A-Z][^\n]{10,}$/);
      expect(message.length).toBeLessThan(1200);
    }
  });

  it("reports at most 200 faults, and the number of the others", () => {
    const nodes = Array.from({ length: 100 }, (_, at) => ({
      id: `n${at}`,
      type: "extract",
      prompt: 1,
      onError: 1,
      llm: 1,
    }));
    const compilation = compilePipeline({ nodes }, CHECKS);
    const faults = compilation.ok ? [] : compilation.faults;
    expect(faults.length).toBe(201);
    const rest = { code: "more-faults", path: "", message: expect.stringMatching(/^There are [1-9]\d* more faults$/) };
    expect(faults.at(-1)).toEqual(rest);
  });
});
