import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { PageMaker } from "../page.ts";

const read = (name: string, ...lines: string[]): Json => {
  const schema = { type: "object", properties: { [name]: { type: "string" } } } satisfies Json;
  const page = new PageMaker().lines(1, 1, lines);
  return extractOffline(page.layout(), { schema: parseSchema(schema), granularity: "word" }).result;
};

describe("names of institutions", () => {
  it("carry the word that is asked for, before it in English", () => {
    const line = "The matter came before the Supreme Court of the United States, which heard it in January.";
    expect(read("court", line)).toEqual({ court: "Supreme Court of the United States" });
  });

  it("begin with it in Romance languages", () => {
    const lines = [
      "Universidad Mayor de San Simón",
      "La universidad de los estudiantes es para todos los que la buscan.",
    ];
    expect(read("universidad", ...lines)).toEqual({ universidad: "Universidad Mayor de San Simón" });
  });

  it.each([
    [
      "two names that stand there as often",
      "The Bern Court and the Basel Court have heard it in the year that is past.",
    ],
    ["the word alone", "The Court has heard all that came before it in the year that is past."],
  ])("are none for %s", (_, line) => {
    expect(read("court", line)).toEqual({ court: null });
  });
});
