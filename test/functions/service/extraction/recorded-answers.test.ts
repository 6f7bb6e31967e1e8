/** Recorded answers: a repeated step takes them, and asks only unanswered questions. */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Blobs } from "../../../../functions/ports/blobs.ts";
import { type AppError, ConditionFailed, JobFailure, ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import type { ModelImage } from "../../../../functions/ports/llm.ts";
import type { ReadOnlyTool } from "../../../../functions/ports/tools.ts";
import { ModelCalls } from "../../../../functions/service/extraction/model-calls.ts";
import { RecordedAnswers } from "../../../../functions/service/extraction/recorded-answers.ts";
import { manualClock } from "../../../support/clock.ts";
import { callTools, type Script, type ScriptedModel, scriptedModel } from "./model-support.ts";

const TEXT = { kind: "text" } as const;

/** Stored answers; they outlive the step. */
class Store implements Pick<Blobs, "get" | "put"> {
  readonly files = new Map<string, string>();

  async get(key: string) {
    const text = this.files.get(key);
    return text === undefined ? undefined : Buffer.from(text);
  }

  async put(key: string, body: Parameters<Blobs["put"]>[1], { ifAbsent = false } = {}) {
    if (ifAbsent && this.files.has(key)) throw new ConditionFailed("A file is there already");
    this.files.set(key, Buffer.from(body as Uint8Array).toString("utf8"));
    return { etag: "", size: 0 };
  }
}

/** A step at its start, for the first time or repeated. */
function begin(store: Store, model: ScriptedModel, { prefix = "step", tools = [] as ReadOnlyTool[] } = {}): ModelCalls {
  return new ModelCalls({
    model,
    clock: { ...manualClock(), guid: randomUUID },
    tier: "DEFAULT",
    jobId: "job",
    limits: { deadline: Number.MAX_SAFE_INTEGER, timeoutSeconds: 300 },
    tools,
    answers: new RecordedAnswers(store, prefix),
  });
}

/** A question about a text, in a fence with new boundary words each time. */
function ask(calls: ModelCalls, text: string, more: { images?: ModelImage[]; maxTokens?: number } = {}) {
  const { images, ...options } = more;
  const fence = calls.fence();
  const system = { role: "system", text: fence.rule } as const;
  const user = { role: "user", text: fence.block("text", text), ...(images ? { images } : {}) } as const;
  return calls.ask({ id: "a.v1", messages: [system, user] }, TEXT, { fence, ...options });
}

/** Asks all questions in order. */
async function askAll(store: Store, model: ScriptedModel, texts: string[]): Promise<string[]> {
  const calls = begin(store, model);
  const answers: string[] = [];
  for (const text of texts) answers.push((await ask(calls, text)).text);
  return answers;
}

const numbered: Script = (_request, index) => `answer ${index}`;

describe("a repeated step", () => {
  it("takes the recorded answers, whatever the boundary words, and counts their tokens once", async () => {
    const store = new Store();
    const model = scriptedModel(numbered);
    const first = await askAll(store, model, ["one", "two"]);
    const again = begin(store, model);
    expect([(await ask(again, "one")).text, (await ask(again, "two")).text]).toEqual(first);
    expect(model.requests).toHaveLength(2);
    expect(again.uses()).toMatchObject([{ promptTokens: 200, completionTokens: 20 }]);
    await ask(again, "three");
    expect(model.requests).toHaveLength(3);
  });

  it("distinguishes equal questions by their order", async () => {
    const store = new Store();
    const model = scriptedModel(numbered);
    const first = await askAll(store, model, ["one", "one", "one"]);
    expect(new Set(first).size).toBe(3);
    expect(await askAll(store, model, ["one", "one", "one", "one"])).toEqual([...first, '"answer 3"']);
  });

  it("asks the unanswered questions again, each once", async () => {
    const store = new Store();
    const texts = ["one", "two", "three", "four"];
    let dead = true;
    const model = scriptedModel((_request, index) => (dead && index >= 2 ? new Promise(() => undefined) : index));
    const calls = begin(store, model);
    void Promise.all(texts.map((text) => ask(calls, text)));
    await expect.poll(() => [model.requests.length, store.files.size]).toEqual([4, 2]);
    dead = false;
    expect(await askAll(store, model, texts)).toEqual(["0", "1", "4", "5"]);
  });

  it("asks anew when any part of a question differs", async () => {
    const store = new Store();
    const model = scriptedModel(numbered);
    const picture = (byte: number): ModelImage => ({ mimeType: "image/png", bytes: Uint8Array.of(byte) });
    const once = async (prefix: string): Promise<void> => {
      await ask(begin(store, model, { prefix }), "one");
      await ask(begin(store, model, { prefix }), "one", { maxTokens: 100 });
      await ask(begin(store, model, { prefix }), "one", { images: [picture(1)] });
      await ask(begin(store, model, { prefix }), "one", { images: [picture(2)] });
    };
    await once("one");
    await once("one");
    expect(model.requests).toHaveLength(4);
    await once("another");
    expect(model.requests).toHaveLength(8);
    await ask(begin(store, scriptedModel(numbered, { model: "newer" })), "one");
    expect(store.files.size).toBe(9);
  });

  it("repeats a final failure, and retries a transient one", async () => {
    const store = new Store();
    const failures: AppError[] = [new ServiceUnavailable("Later"), new JobFailure("Processing failed: No")];
    const model = scriptedModel(() => Promise.reject(failures[model.requests.length - 1]));
    await expect(askAll(store, model, ["one"])).rejects.toThrow("Later");
    for (let time = 0; time < 2; time += 1) {
      const error: unknown = await askAll(store, model, ["one"]).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(JobFailure);
      expect(error).toMatchObject({ message: "Processing failed: No" });
    }
    expect(model.requests).toHaveLength(2);
  });

  it("takes the recorded findings of its tools", async () => {
    const store = new Store();
    const searches: unknown[] = [];
    const tool: ReadOnlyTool = {
      tool: { name: "search", description: "Searches", parameters: {} },
      run: async (args) => `found ${searches.push(args)}`,
    };
    const model = scriptedModel((_request, index) => (index === 0 ? callTools("search", '{"query":"a"}') : index));
    for (let time = 0; time < 2; time += 1) {
      expect((await ask(begin(store, model, { tools: [tool] }), "one")).text).toBe("1");
    }
    expect([model.requests.length, searches]).toEqual([2, [{ query: "a" }]]);
  });

  it("stores the question's hash, not the question or the boundary words", async () => {
    const store = new Store();
    await askAll(store, scriptedModel(numbered), ["a secret of the document"]);
    const [[key, file] = ["", ""]] = [...store.files];
    expect(key).toMatch(/^step\/[\da-f]{64}-0\.json$/);
    expect(JSON.parse(file)).toMatchObject({ v: 1, answer: { text: '"answer 0"', tokens: { total: 110 } } });
    expect(file).not.toContain("secret");
  });
});

describe("a step that runs twice concurrently", () => {
  /** Two steps ask the same question; the second is answered first. */
  async function both(first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<unknown[]> {
    const store = new Store();
    const [slow, quick] = [Promise.withResolvers<void>(), new RecordedAnswers(store, "step")];
    const other = new RecordedAnswers(store, "step").once("question", () => slow.promise.then(first));
    const asked = await quick.once("question", second).catch((error: unknown) => error);
    slow.resolve();
    return [await other.catch((error: unknown) => error), asked];
  }

  it("uses the answer that was recorded first", async () => {
    const answers = await both(
      async () => ({ total: 12 }),
      async () => ({ total: 13 }),
    );
    expect(answers).toEqual([{ total: 13 }, { total: 13 }]);
  });

  it("fails or answers as the first one", async () => {
    const fail = () => Promise.reject(new JobFailure("Processing failed: No"));
    const [answered] = await both(fail, async () => 13);
    expect(answered).toBe(13);
    const [failed] = await both(async () => 12, fail);
    expect(failed).toBeInstanceOf(JobFailure);
    expect(failed).toMatchObject({ message: "Processing failed: No" });
  });
});
