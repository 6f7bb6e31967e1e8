/** Fills every field of a form and reads it back with programs that share no code with this project. */
import { acroFormMetadata } from "../../functions/engine/forms/acroform/acroform-metadata.ts";
import { describeForm } from "../../functions/engine/templates/pdf/describe-form.ts";
import { fillForm } from "../../functions/engine/templates/pdf/fill-form.ts";
import { type Comparison, compareDrawn, shareOfDifference } from "./compare-drawn.ts";
import type { CorpusForm } from "./corpus-forms.ts";
import type { FormReader } from "./form-readers.ts";
import { type Probe, probesOf, requestOf } from "./probe-values.ts";
import { qpdfValues } from "./qpdf.ts";

export interface Fidelity {
  name: string;
  /** Fields that take a value, and were given one. */
  filled: number;
  /** Values that qpdf reads as they are to be stored; undefined without qpdf. */
  stored: number | undefined;
  /** Names of the fields whose value qpdf reads otherwise. */
  wrong: string[];
  drawn: Map<string, Comparison>;
  /** Share of the dark pixels that clearly differ once the filled form is flattened, by reader. */
  flattened: Map<string, number>;
}

const request = { images: new Map(), flatten: false, missingIsError: false, ignoreUnknown: false };

function wrongValues(bytes: Uint8Array, probes: readonly Probe[]): string[] {
  const values = qpdfValues(bytes);
  return probes.flatMap(({ field, stored }) => {
    const read = values.get(field.name) ?? null;
    const isRight = stored === undefined ? read !== null && read !== "" : read === stored;
    return isRight ? [] : [`${field.name}: ${JSON.stringify(read)} instead of ${JSON.stringify(stored)}`];
  });
}

/** @param withQpdf reads the values back with qpdf */
export async function measureFidelity(
  form: CorpusForm,
  readers: readonly FormReader[],
  withQpdf: boolean,
): Promise<Fidelity> {
  const { fields } = await describeForm(form.bytes);
  const probes = probesOf(fields);
  const filled = await fillForm(form.bytes, { ...request, fields: requestOf(probes) });
  const wrong = withQpdf ? wrongValues(filled.bytes, probes) : [];
  const metadata = await acroFormMetadata(form.bytes);
  const flat = await fillForm(form.bytes, { ...request, fields: requestOf(probes), flatten: true });
  const drawn = new Map<string, Comparison>();
  const flattened = new Map<string, number>();
  for (const reader of readers) {
    const [before, after] = [await reader.draw(form.bytes), await reader.draw(filled.bytes)];
    drawn.set(reader.name, compareDrawn(before, after, metadata, probes));
    flattened.set(reader.name, shareOfDifference(after, await reader.draw(flat.bytes)));
  }
  const stored = withQpdf ? probes.length - wrong.length : undefined;
  return { name: form.name, filled: probes.length, stored, wrong, drawn, flattened };
}
