import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { PageMaker } from "../page.ts";

const BODY = [
  "The members have met in the hall of the town, and they have spoken of all that the board had written to them",
  "in the letter of the spring, which each of them had with him when the chair opened the meeting in the evening.",
];
const text = { type: "string" } satisfies Json;
const day = { type: "string", format: "date" } satisfies Json;

const read = (properties: { [name: string]: Json }, ...lines: string[]): Json => {
  const page = new PageMaker().lines(1, 1, BODY);
  for (const [at, line] of lines.entries()) page.text(1, 3 + at * 0.5, line);
  return extractOffline(page.layout(), { schema: parseSchema({ type: "object", properties }), granularity: "word" })
    .result;
};

describe("datelines", () => {
  it.each([
    ["Millbrook, 3 May 2024", "Millbrook", "2024-05-03"],
    ["Bad Neustadt, den 3. Mai 2024", "Bad Neustadt", "2024-05-03"],
    ["San Juan, Puerto Rico – March 23, 2022 – Harbour Club opens", "San Juan, Puerto Rico", "2022-03-23"],
    ["In Millbrook on 8 August 2022", null, null],
  ])("say where and when a document is from: %s", (line, city, date) => {
    expect(read({ city: text, letter_date: day }, line)).toEqual({ city, letter_date: date });
  });

  it.each(["Monday, 3 May 2024", "Saturday, 8 August 2022", "Harbour Works Ltd, 3 May 2024"])(
    "name no place: %s",
    (line) => {
      expect(read({ city: text }, line)).toEqual({ city: null });
    },
  );

  it("tell nothing of an event's place and day", () => {
    const properties = { place: text, event_place: text, event_date: day };
    expect(read(properties, "Millbrook, 3 May 2024")).toEqual({ place: null, event_place: null, event_date: null });
  });

  it("tell the place of signing, unless they differ", () => {
    const properties = { place: { type: "string", description: "Place of signing" } } satisfies {
      [name: string]: Json;
    };
    expect(read(properties, "Millbrook, 3 May 2024")).toEqual({ place: "Millbrook" });
    expect(read(properties, "Millbrook, 3 May 2024", "Northport, 4 May 2024")).toEqual({ place: null });
  });
});
