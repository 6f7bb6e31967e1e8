/**
 * Probes of providers: one short request each. A model is asked without the client of its driver, which is large, so that
 * the function of the settings stays small.
 */
import type { Clock } from "../../ports/clock.ts";
import { type Outbound, OutboundFailure } from "../../ports/outbound.ts";
import type { ModelEndpoint, ProviderProbes } from "../../ports/own-providers.ts";
import { readAnswer } from "../openai/answer.ts";
import { type Failure, failureOf, toJobFailure } from "../openai/failure-reasons.ts";
import { withoutOwnMembers } from "../openai/own-members.ts";
import { openHttpOcr } from "./own-ocr.ts";
import { providerFetch } from "./provider-fetch.ts";

export interface ProbeOptions {
  clock: Pick<Clock, "now" | "sleep">;
  outbound: Pick<Outbound, "request">;
}

/** A white picture of 64 × 64 pixels, PNG: half an inch of an empty page. */
const BLANK_PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAKUlEQVR42u3MQREAAAwCIPuX1hD77SAA6VEEAoFAIBAIBAKBQCAQfA8Gpwvw4qrwDDIAAAAASUVORK5CYII=";

/** One question. @returns why it has no answer; undefined for a good one */
async function ask(
  endpoint: ModelEndpoint,
  outbound: ProbeOptions["outbound"],
  timeoutMs: number,
): Promise<Failure | undefined> {
  const { model, extra } = endpoint;
  const messages = [{ role: "user", content: "Answer with the word ready." }];
  try {
    const answer = await providerFetch(endpoint, outbound)(endpoint.url, {
      body: JSON.stringify({ ...withoutOwnMembers(extra), model, messages, stream: false }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await answer.text();
    if (!answer.ok) return failureOf(answer.status, text, answer.headers);
    const read = readAnswer(text, { model, format: { kind: "text" } });
    return "failure" in read ? read.failure : undefined;
  } catch (error) {
    if (error instanceof OutboundFailure) return { reason: error.forbidden ? "forbidden" : "connection" };
    if (error instanceof DOMException) return { reason: "time-out" };
    throw error;
  }
}

export function openProbes({ clock, outbound }: ProbeOptions): ProviderProbes {
  return {
    async model(endpoint, { deadline }) {
      const failure = await ask(endpoint, outbound, Math.max(1, deadline - clock.now()));
      if (failure !== undefined) throw toJobFailure(failure, `LLM provider ${endpoint.id}`);
    },
    async ocr(endpoint, limits) {
      const image = {
        bytes: Buffer.from(BLANK_PICTURE, "base64"),
        pageNumber: 1,
        frame: { width: 0.5, height: 0.5 },
      };
      await openHttpOcr({ clock, outbound }, endpoint, []).recognize(image, "DEFAULT", limits);
    },
  };
}
