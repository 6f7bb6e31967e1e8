/** Real documents, if at hand: each is read, or fails with a sentence; nothing throws, hangs or crashes. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { JOB_SENTENCES } from "../../functions/ports/errors.ts";
import { type Outcome, readAsUploaded } from "../support/corpus-reader.ts";

const CORPUS = new URL("../../../shared/corpus/", import.meta.url);
const present = existsSync(CORPUS);
if (!present) console.warn("SKIPPED: the corpus of real documents is not at ../shared/corpus");

const filesIn = (folder: string): string[] =>
  present
    ? readdirSync(new URL(`${folder}/`, CORPUS)).map((name) => new URL(`${folder}/${name}`, CORPUS).pathname)
    : [];

const USER_SENTENCE_PATTERN = /^(?:Processing failed: |The document )/;
/** The time after which a hostile file counts as hanging; the service has its own limits. */
const READING_TIMEOUT_MS = 15_000;

describe.skipIf(!present)("reading real documents", () => {
  it.each(["invoices", "acroforms", "long", "office-templates", "figures-barcodes", "scans"])(
    "succeeds, or fails with a sentence: %s",
    async (folder) => {
      const started = performance.now();
      let words = 0;
      let pages = 0;
      for (const path of filesIn(folder)) {
        const outcome = await readAsUploaded(path);
        words += outcome.words;
        pages += outcome.pages;
        // All of them open; one without a text layer says so.
        expect([path, outcome.message ?? JOB_SENTENCES.noText]).toEqual([path, JOB_SENTENCES.noText]);
      }
      const seconds = (performance.now() - started) / 1000;
      console.info(`${folder}: ${pages} pages, ${words} words, ${Math.round(words / seconds)} words/s`);
    },
    120_000,
  );
});

describe.skipIf(!present)("reading hostile documents", () => {
  let child: ChildProcess | undefined;
  afterAll(() => child?.kill("SIGKILL"));

  async function readContained(path: string): Promise<Outcome> {
    child ??= fork(new URL("../support/corpus-reader-process.ts", import.meta.url));
    const own = child;
    const listening = new AbortController();
    const { signal } = listening;
    const timer = setTimeout(() => own.kill("SIGKILL"), READING_TIMEOUT_MS);
    const ended = once(own, "exit", { signal }).then(() => [undefined]);
    own.send(path);
    const [outcome] = (await Promise.race([once(own, "message", { signal }), ended])) as [Outcome | undefined];
    clearTimeout(timer);
    ended.catch(() => {});
    listening.abort();
    if (outcome === undefined) child = undefined;
    return outcome ?? { pages: 0, words: 0, message: "killed", defect: true };
  }

  it.each(filesIn("hostile").map((path) => [path.slice(path.lastIndexOf("/") + 1), path]))(
    "ends with a sentence: %s",
    async (_, path) => {
      const outcome = await readContained(path ?? "");
      expect(outcome).toMatchObject({ defect: false });
      if (outcome.message !== undefined) expect(outcome.message).toMatch(USER_SENTENCE_PATTERN);
    },
  );
});
