/** `cdk synth` as a command: no network, no account, no warnings. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Synthesized, synthesize } from "../support/synth.ts";

let synthesized: Synthesized;

beforeAll(async () => {
  synthesized = await synthesize();
}, 240_000);
afterAll(() => synthesized?.remove());

it("cdk synth succeeds without a warning", () => {
  expect(synthesized.said.trim()).toBe("");
});

it("cdk synth leaves no message on any construct, and makes one stack", () => {
  const manifest = JSON.parse(readFileSync(join(synthesized.folder, "manifest.json"), "utf8")) as {
    artifacts: Record<string, { type: string }>;
  };
  const stacks = Object.values(manifest.artifacts).filter(({ type }) => type === "aws:cloudformation:stack");
  expect(stacks).toHaveLength(1);
  const metadata = readFileSync(join(synthesized.folder, "Sheaf.metadata.json"), "utf8");
  expect(metadata).not.toMatch(/"aws:cdk:(warning|error)"/);
});
