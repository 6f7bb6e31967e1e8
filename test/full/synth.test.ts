/** `cdk synth` as a command: no network, no account, nothing to say. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Synthesized, synthesize } from "../support/synth.ts";

let synthesized: Synthesized;

beforeAll(async () => {
  synthesized = await synthesize();
}, 240_000);
afterAll(() => synthesized?.remove());

it("succeeds and warns of nothing", () => {
  expect(synthesized.said.trim()).toBe("");
});

it("leaves no message on any construct, and one stack", () => {
  const manifest = JSON.parse(readFileSync(join(synthesized.folder, "manifest.json"), "utf8")) as {
    artifacts: Record<string, { type: string }>;
  };
  const stacks = Object.values(manifest.artifacts).filter(({ type }) => type === "aws:cloudformation:stack");
  expect(stacks).toHaveLength(1);
  const metadata = readFileSync(join(synthesized.folder, "Sheaf.metadata.json"), "utf8");
  expect(metadata).not.toMatch(/"aws:cdk:(warning|error)"/);
});
