/** The guard of a gateway behind CloudFront admits the secret, and nothing else. */
import { describe, expect, it } from "vitest";
import { makeEdgeGuard } from "../../../bin/cloud/edge-guard.ts";

const guard = makeEdgeGuard(async () => "the secret");

describe("makeEdgeGuard", () => {
  it.each<[string, boolean, Parameters<typeof guard>[0]]>([
    ["the secret", true, { identitySource: ["the secret"] }],
    ["another text", false, { identitySource: ["the secreT"] }],
    ["a beginning of it", false, { identitySource: ["the"] }],
    ["an empty text", false, { identitySource: [""] }],
    ["no text", false, { identitySource: [] }],
    ["no header", false, {}],
    ["no header, as null", false, { identitySource: null }],
  ])("answers for %s: %s", async (_name, isAuthorized, event) => {
    expect(await guard(event)).toEqual({ isAuthorized });
  });

  it("refuses an empty header even when the secret is empty", async () => {
    expect(await makeEdgeGuard(async () => "")({ identitySource: [""] })).toEqual({ isAuthorized: false });
  });

  it("fails when the secret cannot be read, which the gateway refuses", async () => {
    const failing = makeEdgeGuard(() => Promise.reject(new Error("The store of secrets is not there")));
    await expect(failing({ identitySource: ["x"] })).rejects.toThrow("not there");
  });
});
