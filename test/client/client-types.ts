/**
 * Types of the client, checked by `npm run typecheck`; nothing here runs. `@ts-expect-error` fails where the compiler
 * finds nothing to complain of.
 */
import { z } from "zod";
import {
  type BatchDocument,
  definePipeline,
  eq,
  type Json,
  ne,
  type Pipeline,
  type Processed,
  type Sheaf,
} from "../../client/index.ts";

declare const sheaf: Sheaf;
declare const file: Blob;

/** True only for the very same type. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles for `true` alone. */
function same<_Verdict extends true>(): void {}

export async function dataOfSchemas(): Promise<void> {
  const zod = await sheaf.documents.process(file, {
    schema: z.object({ total: z.number(), kind: z.enum(["a", "b"]), lines: z.array(z.object({ sku: z.string() })) }),
  });
  same<Same<typeof zod.data.total, number | null>>();
  same<Same<typeof zod.data.kind, "a" | "b" | null>>();
  const row = zod.data.lines?.[0];
  same<Same<typeof row, { sku: string | null } | undefined>>();
  // @ts-expect-error: the schema has no such member.
  zod.data.vat;
  // @ts-expect-error: the value may be missing in the document.
  zod.data.total.toFixed(2);

  const literal = await sheaf.documents.process(file, {
    schema: {
      type: "object",
      properties: {
        total: { type: "number" },
        note: { type: ["string", "null"] },
        kind: { enum: ["a", "b"] },
        fixed: { const: 7 },
        either: { anyOf: [{ type: "string" }, { type: "boolean" }] },
        lines: {
          type: "array",
          items: { type: "object", properties: { net: { type: "integer" } }, required: ["net"] },
        },
      },
      required: ["total", "note", "kind", "fixed", "either"],
    },
  });
  same<Same<typeof literal.data.total, number | null>>();
  same<Same<typeof literal.data.note, string | null>>();
  same<Same<typeof literal.data.kind, "a" | "b" | null>>();
  same<Same<typeof literal.data.fixed, 7 | null>>();
  same<Same<typeof literal.data.either, string | boolean | null>>();
  same<Same<typeof literal.data.lines, { net: number | null }[] | null | undefined>>();
  // @ts-expect-error: the schema has no such member.
  literal.data.vat;

  const shape = await sheaf.documents.process(file, {
    schema: { total: "number", lines: [{ sku: "text", paid: true }] },
  });
  same<Same<typeof shape.data.total, number | null>>();
  same<Same<typeof shape.data.lines, { sku: string | null; paid: boolean | null }[] | null>>();
  // @ts-expect-error: the shape has no such member.
  shape.data.vat;

  // What TypeBox's objects declare.
  const typebox = {} as { static: { total: number }; params: unknown[]; type: "object" };
  const boxed = await sheaf.documents.process(file, { schema: typebox });
  same<Same<typeof boxed.data, { total: number | null }>>();
  // What its release 1 declares.
  const released = {} as {
    "~kind": "Object";
    type: "object";
    properties: { total: { "~kind": "Number"; type: "number" }; note: { type: "string"; "~optional": true } };
    required: "total"[];
  };
  const one = await sheaf.documents.process(file, { schema: released });
  same<Same<typeof one.data, { total: number | null; note?: string | null }>>();

  same<Same<Awaited<ReturnType<typeof unknownData>>, Processed<Json>>>();
  const given: { [member: string]: Json } = {};
  const open = await sheaf.documents.process(file, { schema: given });
  same<Same<typeof open.data, Json>>();
}

const unknownData = () => sheaf.documents.process(file, { prompt: "The total" });

export function wrongOptions(): void {
  // @ts-expect-error: there is no such option.
  sheaf.documents.process(file, { schemas: {} });
  // @ts-expect-error: there is no such mode.
  sheaf.documents.process(file, { ocr: "BEST" });
  // @ts-expect-error: there is no such mode beside a schema either.
  sheaf.documents.process(file, { schema: { total: "number" }, ocr: "BEST" });
  // @ts-expect-error: a document is bytes or a Blob.
  sheaf.documents.process("invoice.pdf");
  // @ts-expect-error: a job is named by its GUID.
  sheaf.jobs.wait(7);
  // @ts-expect-error: there is no such option.
  sheaf.jobs.wait("guid", { timeout: 5 });
  // @ts-expect-error: there is no such operation.
  sheaf.operations.run("guid", "error-analyses");
  // @ts-expect-error: there is no such way to treat missing values.
  sheaf.templates.fill("form", { fields: {} }, { missing: "warn" });
}

export async function otherAreas(): Promise<void> {
  const { data } = await sheaf.documents.records(file, {
    schema: { sku: "text", net: "number" },
    chunks: { pagesPerChunk: 2 },
    header: { pageLimit: 1, schema: { customer: "text" } },
  });
  same<Same<typeof data.records, { sku: string | null; net: number | null }[]>>();
  same<Same<typeof data.header, { customer: string | null } | null>>();
  // @ts-expect-error: there is no such way to cut a document.
  sheaf.documents.records(file, { chunks: { splitType: "CHAPTER" } });
  for await (const document of sheaf.batches.run([file], { schema: { total: "number" } })) {
    same<Same<typeof document, BatchDocument<{ total: number | null }>>>();
    if (document.status === "COMPLETED") same<Same<typeof document.data, { total: number | null }>>();
    if (document.status === "REFUSED") same<Same<typeof document.error, string>>();
    // @ts-expect-error: only a document that has ended well has data.
    document.data.total;
  }
  const job = await sheaf.jobs.start("guid", { schema: { total: "number" } });
  same<Same<Awaited<ReturnType<typeof job.result>>["data"], { total: number | null }>>();
  const analysis = await sheaf.operations.run("guid", "error-analysis");
  same<Same<typeof analysis.analysis.overall_confidence, number>>();
}

export function pipelines() {
  const p = definePipeline({ inputs: { limit: 1000 } });
  const classify = p.extract("classify", {
    schema: { type: "object", properties: { kind: { enum: ["invoice", "other"] } } },
  });
  const invoice = p.extract("invoice", {
    schema: z.object({ total: z.number(), lines: z.array(z.object({ sku: z.string() })) }),
    when: eq(classify.result.kind, "invoice"),
  });
  // @ts-expect-error: the schema has no such member.
  classify.result.document_type;
  // @ts-expect-error: the members of a list's items are not the list's.
  invoice.result.lines.sku;
  // @ts-expect-error: no document is of this kind.
  eq(classify.result.kind, "invoices");
  // @ts-expect-error: a number is no kind.
  ne(classify.result.kind, 7);
  eq(p.inputs.limit, 5);
  // @ts-expect-error: the pipeline has no such input.
  p.inputs.limits;
  // @ts-expect-error: a document has no such member.
  p.document.name;
  // @ts-expect-error: extract has no such option.
  p.extract("other", { promt: "…" });
  // @ts-expect-error: there is no such tier.
  p.extract("other", { tier: "large" });
  // @ts-expect-error: rows have no such member.
  p.transform("sorted", { transform: "sort", input: invoice.result.lines, config: { by: "net" } });
  // @ts-expect-error: the result has no such member.
  p.transform("picked", { transform: "pick", input: invoice.result, config: { fields: ["net"] } });
  // @ts-expect-error: there is no such operation.
  p.operation("operation", { operation: "error-analyses" });
  const size = p.validate("size", {
    input: invoice.result.total,
    buckets: [{ name: "small", max: 9 }],
    default: "large",
  });
  eq(size.result.bucket, "small");
  // @ts-expect-error: there is no such bucket.
  eq(size.result.bucket, "medium");
  const yes = p.final("yes", {
    output: { branch: "invoice", size: size.result.bucket, first: invoice.result.lines[0].sku },
  });
  const no = p.final("no", { dependsOn: [classify], output: { branch: "other" } });
  // @ts-expect-error: a definition has a candidate at least.
  p.finalOrder();
  return p.finalOrder(yes, no);
}

export async function outputOfPipelines(pipeline: ReturnType<typeof pipelines>): Promise<void> {
  type Output = { branch: "invoice"; size: "small" | "large" | null; first: string | null } | { branch: "other" };
  same<Same<typeof pipeline, Pipeline<Output>>>();
  const { data } = await sheaf.documents.process(file, { pipeline });
  // @ts-expect-error: only one branch has it.
  data.first;
  if (data.branch === "invoice") same<Same<typeof data.first, string | null>>();
}
