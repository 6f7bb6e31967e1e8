/** For any answer of a model, COMPLETED data fits its schema, and PARTIAL data lists its faults. */
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, it } from "vitest";
import { isLack } from "../../../../functions/engine/schema/data-faults.ts";
import { primaryErrors } from "../../../../functions/engine/schema/primary-errors.ts";
import { compileSchema } from "../../../../functions/engine/schema/validator.ts";
import { JobFailure } from "../../../../functions/ports/errors.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import { Random } from "../../engine/extraction/prng.ts";
import { cut, type Reply, refusal, run, text } from "./model-support.ts";
import { anything, nearlyFitting, randomSchema } from "./schemas.ts";

/** Ajv with its default patterns and formats. */
function judge(schema: Json, data: Json): ErrorObject[] {
  const ajv = new Ajv2020({ strict: false, ownProperties: true, validateSchema: false, meta: false, logger: false });
  addFormats.default(ajv);
  const validate = ajv.compile(schema as object);
  return validate(data) ? [] : [...(validate.errors ?? [])];
}

const ODD = [
  "",
  "no",
  "{",
  '{"a":',
  "[1,2",
  "null",
  "7",
  '"text"',
  '```json\n{"total": 1}\n```',
  'Sure: {"name": "x"} ok?',
];

function randomReply(random: Random, schema: Parameters<typeof nearlyFitting>[2]): Reply {
  const kind = random.int(0, 19);
  if (kind === 0) return text(random.pick(ODD));
  if (kind === 1) return cut('{"total": 12, "na');
  if (kind === 2 && random.int(0, 3) === 0) return refusal("no");
  if (kind <= 5) return anything(random, 4);
  return nearlyFitting(random, schema, schema);
}

const replyOf = (reply: Reply): Reply =>
  // Such a reply would be mistaken for a whole answer.
  typeof reply === "object" && reply !== null && !("finish" in reply || "text" in reply)
    ? text(JSON.stringify(reply))
    : reply;

/** @param count of random schemas, each with its answers */
export function honestySuite(count: number): void {
  it(`extractWithModel gives no invented value for ${count} random schemas and answers`, async () => {
    const random = new Random(20_26);
    const counts = { COMPLETED: 0, PARTIAL: 0, FAILED: 0 };
    for (let at = 0; at < count; at += 1) {
      const schema = randomSchema(random);
      const replies = Array.from({ length: 6 }, () => replyOf(randomReply(random, schema)));
      const mode = random.pick(["SIMPLE", "STEPS", "CHOSEN"] as const);
      const { done, data, error } = await run(replies, { schema, ...(mode === "CHOSEN" ? {} : { mode }) });
      const about = `case ${at}: ${JSON.stringify(schema)} ← ${JSON.stringify(replies)} → ${JSON.stringify(data)}`;
      if (done === undefined || data === undefined) {
        counts.FAILED += 1;
        if (!(error instanceof JobFailure)) throw new Error(about, { cause: error?.cause });
        expect(error?.message, about).toMatch(/^Processing failed: .{10,}/);
        continue;
      }
      counts[done.status] += 1;
      if (done.status === "COMPLETED") {
        expect(judge(schema, data), about).toEqual([]);
        expect(done.validationErrors).toEqual([]);
        continue;
      }
      // PARTIAL data has no wrong values; it may only lack some.
      const validator = compileSchema(schema);
      const left = primaryErrors(validator.check(data), validator.schema);
      expect(
        left.filter((one) => !isLack(one)),
        about,
      ).toEqual([]);
      expect(done.validationErrors.length, about).toBeGreaterThan(0);
      for (const { pointer, message } of done.validationErrors) {
        expect(pointer, about).toMatch(/^(\/|$)/);
        expect(message.length, about).toBeGreaterThan(3);
      }
    }
    // Each outcome occurs often enough.
    expect(counts.COMPLETED).toBeGreaterThan(count / 10);
    expect(counts.PARTIAL).toBeGreaterThan(count / 10);
    expect(counts.FAILED).toBeGreaterThan(count / 25);
  });
}
