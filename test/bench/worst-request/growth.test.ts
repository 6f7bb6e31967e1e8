/** Schemas and pipelines of the size that the API's thread checks, grown along each dimension. */
import { describe, expect, it } from "vitest";
import { PIPELINES } from "../../../bench/worst-request/pipelines.ts";
import { SCHEMAS } from "../../../bench/worst-request/schemas.ts";
import { judgePipeline } from "../../../functions/engine/nodes/judge-pipeline.ts";
import { judgeSchema } from "../../../functions/engine/schema/judge-schema.ts";
import { DEFAULT_CONFIG } from "../../../functions/service/organizations/organization.ts";
import { leastCpu } from "../../support/cpu.ts";

const SIZE = DEFAULT_CONFIG.inlineCheckChars;
const MAX_CPU_MS = 100;
const TRIES = 4;

const OWN_PIPELINES = Object.entries(PIPELINES).filter(([dimension]) => !dimension.startsWith("schema: "));

describe("a check on the API's thread", () => {
  it.each(Object.entries(SCHEMAS))("ends soon for a schema's %s", (_dimension, grown) => {
    const given: unknown = JSON.parse(grown(SIZE));
    expect(leastCpu(TRIES, MAX_CPU_MS, () => judgeSchema(given))).toBeLessThan(MAX_CPU_MS);
  });

  it.each(OWN_PIPELINES)("ends soon for a pipeline's %s", (_dimension, grown) => {
    const given: unknown = JSON.parse(grown(SIZE));
    expect(leastCpu(TRIES, MAX_CPU_MS, () => judgePipeline(given))).toBeLessThan(MAX_CPU_MS);
  });
});
