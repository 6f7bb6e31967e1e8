/** Own models over the guard of outgoing requests: addresses, headers, and what is taken out of answers. */
import { describe, expect, it } from "vitest";
import { openOutbound } from "../../../../functions/adapters/outbound/guarded.ts";
import { openOwnModels } from "../../../../functions/adapters/providers/own-models.ts";
import { openOwnOcr } from "../../../../functions/adapters/providers/own-ocr.ts";
import { openProbes } from "../../../../functions/adapters/providers/probes.ts";
import { completionsUrl } from "../../../../functions/adapters/providers/provider-fetch.ts";
import { scrubSecret } from "../../../../functions/adapters/providers/scrub.ts";
import { JobFailure } from "../../../../functions/ports/errors.ts";
import { OutboundFailure } from "../../../../functions/ports/outbound.ts";
import type { ModelEndpoint } from "../../../../functions/ports/own-providers.ts";

const KEY = "sk-secret/of+the=tests";
const clock = { now: () => 0, sleep: async () => undefined };
const endpoint = (more: Partial<ModelEndpoint> = {}): ModelEndpoint => ({
  id: 7,
  version: "1",
  url: "https://models.example.com/v1",
  protocol: "openai",
  model: "a model",
  apiVersion: "2024-10-21",
  facts: {},
  extra: {},
  apiKey: async () => KEY,
  ...more,
});
const question = {
  tier: "DEFAULT" as const,
  messages: [{ role: "user" as const, text: "?" }],
  format: { kind: "text" as const },
};

describe("the address of a chat completion", () => {
  it.each([
    ["openai", "https://a.example/v1", "https://a.example/v1/chat/completions"],
    ["openai", "https://a.example/v1/", "https://a.example/v1/chat/completions"],
    ["openai", "https://a.example/v1/chat/completions", "https://a.example/v1/chat/completions"],
    [
      "azure",
      "https://r.openai.azure.com",
      "https://r.openai.azure.com/openai/deployments/a%20model/chat/completions?api-version=2024-10-21",
    ],
    [
      "azure",
      "https://r.openai.azure.com/openai/",
      "https://r.openai.azure.com/openai/deployments/a%20model/chat/completions?api-version=2024-10-21",
    ],
    [
      "azure",
      "https://r.openai.azure.com/openai/deployments/d?api-version=x",
      "https://r.openai.azure.com/openai/deployments/d/chat/completions?api-version=x",
    ],
    ["azure", "https://r.openai.azure.com/openai/v1", "https://r.openai.azure.com/openai/v1/chat/completions"],
  ] as const)("of %s at %s", (protocol, url, wanted) => {
    expect(completionsUrl(endpoint({ protocol, url }))).toBe(wanted);
  });
});

describe("an own model", () => {
  it("sends nothing to an address that has become private, and fails with one sentence", async () => {
    let looked = 0;
    // Public when it is saved, and private when it is asked.
    const resolve = async () => {
      looked += 1;
      return [looked === 1 ? "93.184.216.34" : "169.254.169.254"];
    };
    const outbound = openOutbound({ loopback: false, resolve });
    await outbound.check(endpoint().url);
    const model = openOwnModels({ clock, outbound }).model(1, endpoint());
    await expect(model.answer(question, { deadline: 60_000 })).rejects.toThrow(
      "Processing failed: AI service has an address that is not allowed (LLM provider 7)",
    );
    expect(looked).toBe(2);
    const ocr = openOwnOcr({ clock, outbound }).ocr(1, { ...endpoint(), features: {} });
    const image = { bytes: Buffer.from("x"), pageNumber: 1, frame: { width: 1, height: 1 } };
    await expect(ocr.recognize(image, "DEFAULT", { deadline: 60_000 })).rejects.toThrow(
      "Processing failed: OCR provider 7 has an address that is not allowed",
    );
  });

  it("tries an unreachable provider as the service tries its own model, and once for a test", async () => {
    let tries = 0;
    const outbound = {
      request: () => {
        tries += 1;
        return Promise.reject(new OutboundFailure("The connection was refused"));
      },
    };
    const models = openOwnModels({ clock, outbound });
    const sentence = "Processing failed: AI service unavailable (LLM provider 7)";
    await expect(models.model(1, endpoint()).answer(question, { deadline: 60_000 })).rejects.toThrow(sentence);
    expect(tries).toBe(6);
    await expect(openProbes({ clock, outbound }).model(endpoint(), { deadline: 60_000 })).rejects.toThrow(sentence);
    expect(tries).toBe(7);
  });

  it("fails at once where its key cannot be opened, and sends nothing", async () => {
    const outbound = { request: () => Promise.reject(new Error("nothing is sent")) };
    const failure = new JobFailure("Processing failed: The key cannot be opened");
    const sealed = endpoint({ apiKey: () => Promise.reject(failure) });
    await expect(openOwnModels({ clock, outbound }).model(1, sealed).answer(question, { deadline: 9 })).rejects.toBe(
      failure,
    );
  });

  it("remembers a provider's failures for its own organization alone", () => {
    const outbound = { request: () => Promise.reject(new OutboundFailure("x")) };
    const models = openOwnModels({ clock, outbound });
    expect(models.model(1, endpoint())).toBe(models.model(1, endpoint()));
    expect(models.model(2, endpoint())).not.toBe(models.model(1, endpoint()));
    expect(models.model(1, endpoint({ version: "2" }))).not.toBe(models.model(1, endpoint()));
  });

  it("sends kwargs of the caller, but none that the service sets itself", async () => {
    const bodies: Record<string, unknown>[] = [];
    const outbound = {
      request: async (_url: string, { body }: { body?: string | Uint8Array }) => {
        bodies.push(JSON.parse(String(body)));
        const answer = { choices: [{ message: { content: "ok" }, finish_reason: "stop" }] };
        return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)), cut: false };
      },
    };
    const extra = { top_p: 0.5, model: "other", stream: true, temperature: 2 };
    await openOwnModels({ clock, outbound }).model(1, endpoint({ extra })).answer(question, { deadline: 60_000 });
    expect(bodies[0]).toMatchObject({ top_p: 0.5, model: "a model", temperature: 0 });
    expect(bodies[0]).not.toHaveProperty("stream");
  });
});

describe("a secret in an answer", () => {
  it.each([
    ["as it is", KEY],
    ["in JSON", JSON.stringify({ said: KEY })],
    ["in a URL", `?key=${encodeURIComponent(KEY)}&x`],
    ["in base64", Buffer.from(KEY).toString("base64")],
    ["in base64 within other text", Buffer.from(`Bearer ${KEY} and more`).toString("base64")],
    ["in base64 for URLs", Buffer.from(`x${KEY}`).toString("base64url")],
    ["in hexadecimal digits", Buffer.from(KEY).toString("hex")],
  ])("is taken out %s", (_name, text) => {
    const scrubbed = Buffer.from(scrubSecret(Buffer.from(text), KEY)).toString();
    expect(scrubbed).toContain("[removed]");
    const decoded = Buffer.from(scrubbed.replaceAll("[removed]", ""), "base64").toString("latin1");
    for (const one of [scrubbed, decoded]) expect(one).not.toContain(KEY.slice(2, -2));
  });

  it("leaves other answers as they are", () => {
    const body = Buffer.from("An answer");
    expect(scrubSecret(body, KEY)).toBe(body);
    expect(scrubSecret(body, undefined)).toBe(body);
  });
});
