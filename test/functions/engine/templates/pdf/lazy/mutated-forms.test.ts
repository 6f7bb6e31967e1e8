/** Forms with random damage end alike, whether their objects are read as they are asked for or from front to back. */
import { afterAll, describe, expect, it } from "vitest";
import { describeForm } from "../../../../../../functions/engine/templates/pdf/describe-form.ts";
import { openLazily } from "../../../../../../functions/engine/templates/pdf/lazy/lazy-document.ts";
import { cpuSeconds } from "../../../../../support/cpu.ts";
import { handForm } from "../../../../../support/hand-form.ts";
import {
  compareEnds,
  MUTATED_FORMS,
  packedWithDamage,
  randomOf,
  readWhole,
} from "../../../../../support/mutated-forms.ts";
import { packedForm } from "../../../../../support/packed-form.ts";

const MUTATIONS = 25;
const MOST_SECONDS = 1;

describe("forms with random damage", () => {
  let compared = 0;
  afterAll(() => expect(compared).toBeGreaterThan(MUTATIONS));

  it.each(Object.entries(MUTATED_FORMS))("end alike in both ways of reading them, listed by %s", async (_, make) => {
    for (let seed = 0; seed < MUTATIONS; seed += 1) {
      const { bytes, undamaged, listsOther } = await make(randomOf(seed));
      expect(openLazily(readWhole(bytes))).toBeUndefined();
      const start = process.cpuUsage();
      const ends = await compareEnds(bytes, undamaged);
      expect(cpuSeconds(start)).toBeLessThan(MOST_SECONDS);
      if (ends === undefined || listsOther) continue;
      compared += 1;
      if (ends.kind === "other") expect({ seed, ends: ends.lazily }).toEqual({ seed, ends: ends.whole });
    }
  });

  it("end alike or keep more fields where objects were damaged before they were packed", async () => {
    for (let seed = 0; seed < 2 * MUTATIONS; seed += 1) {
      const ends = await compareEnds(packedWithDamage(randomOf(seed)), packedForm());
      if (ends?.kind === "other") expect({ seed, ends: ends.lazily }).toEqual({ seed, ends: ends.whole });
    }
    // The page of the form is lost, and in a stream that is read from front to back all that follows it.
    const change = (content: Buffer): Buffer =>
      Buffer.from(
        content.toString("latin1").replace("/Kids [3", "/Kidz [3").replace("[0 0 400", "[0 0 \u00ff00"),
        "latin1",
      );
    expect((await compareEnds(packedForm({ change }), packedForm()))?.kind).toBe("more");
  });

  it("lack what their list frees, even where its bytes are still in the file", async () => {
    const text = Buffer.from(handForm({ widgets: ["/FT /Tx /T (a)", "/FT /Tx /T (b)"] })).toString("latin1");
    const freed = new Uint8Array(Buffer.from(text.replace(/ n (?=\ntrailer)/u, " f "), "latin1"));
    const names = async (bytes: Uint8Array) => (await describeForm(bytes)).fields.map(({ name }) => name);
    expect(openLazily(freed)).toBeDefined();
    expect(await names(freed)).toEqual(["a"]);
    expect(await names(readWhole(freed))).toEqual(["a", "b"]);
  });
});
