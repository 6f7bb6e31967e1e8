import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { leastCpu } from "../../../../support/cpu.ts";
import { PageMaker } from "../page.ts";

const read = (name: string, ...lines: string[]): Json => {
  const page = new PageMaker();
  for (const [at, line] of lines.entries()) page.text(1, 1 + at * 0.5, line);
  const schema = parseSchema({ type: "object", properties: { [name]: { type: "string" } } });
  return extractOffline(page.layout(), { schema, granularity: "word" }).result;
};

describe("names behind the word for what they name", () => {
  it.each([
    ["association", "Les membres de l’association Toits Verts se réunissent une fois par an à Lyon.", "Toits Verts"],
    ["programme", "All pupils may take part in the programme “Sea and Land” of the town.", "Sea and Land"],
    ["artist", "The show has pictures by the artist Anna Berg. Visitors pay nothing.", "Anna Berg"],
  ])("answer %s", (name, line, value) => {
    expect(read(name, line)).toEqual({ [name]: value });
  });

  it.each([
    ["a common word", "seat", "The seat Club has changed, as the club wrote to all members in the spring."],
    ["a small word", "room", "They met in the room The board had rented for the day."],
    ["one word in English", "model", "They use a model Hamiltonian that all of them have known for a long time."],
    ["a name that goes on", "conference", "They spoke at the conference Third Century: Music of Today in the hall."],
  ])("are no %s", (_, name, line) => {
    expect(read(name, line)).toEqual({ [name]: null });
  });

  it.each([
    ["treasurer", "The club is represented by Anna Berg, as treasurer, and by no one else of the board.", "Anna Berg"],
    ["president_de_seance", "Les membres ont choisi Jean Petit en qualité de président de séance.", "Jean Petit"],
    ["treasurer", "The town is represented as treasurer of the club by a person who is not named.", null],
  ])("or before it, for the %s of a sentence", (name, line, value) => {
    expect(read(name, line)).toEqual({ [name]: value });
  });

  it("prove nothing where they differ", () => {
    expect(
      read("artist", "It shows the artist Anna Berg to all of them.", "It shows the artist Paul Stone to all of them."),
    ).toEqual({ artist: null });
  });

  it("ends soon for a word without end that has capitals", () => {
    const endless = "A-".repeat(20_000);
    expect(
      leastCpu(
        3,
        1000,
        () => void read("treasurer", "They met in the hall of the town, and Anna Berg spoke.", endless),
      ),
    ).toBeLessThan(1000);
  });
});
