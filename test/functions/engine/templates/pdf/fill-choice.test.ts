import { describe, expect, it } from "vitest";
import { describeForm } from "../../../../../functions/engine/templates/pdf/describe-form.ts";
import { fill, ink, Objects } from "../../../../support/filled-form.ts";
import { handForm } from "../../../../support/hand-form.ts";

const COMBO = 131_072;
const EDIT = 262_144;
const MULTISELECT = 2_097_152;
const BOX = [20, 20, 200, 80] as const;

const choice = (flags: number, more = "") =>
  handForm({
    widgets: [
      `/FT /Ch /T (pick) /Ff ${flags} /Rect [${BOX.join(" ")}] /Opt [[(a) (Alpha)] [(b) (Beta)] [(c) (Gamma)]] ${more}`,
    ],
  });

describe("fillChoice", () => {
  it.each([["b"], ["Beta"]])("stores the export value for %s, and shows its text", async (value) => {
    const { bytes } = await fill(choice(COMBO), { pick: value });
    const objects = await Objects.of(bytes);
    expect(objects.text(0, "V")).toBe("(b)");
    expect(objects.operators(0)).toContain(`<${Buffer.from("Beta").toString("hex").toUpperCase()}>`);
    expect(await ink(bytes, BOX)).toBeGreaterThan(40);
  });

  it("refuses another value, and lists the options", async () => {
    const filling = fill(choice(COMBO), { pick: "Delta" });
    await expect(filling).rejects.toThrow('The field pick does not have the option "Delta"; its options are a, b, c');
  });

  it("leaves a dropdown uneditable", async () => {
    const { bytes } = await fill(choice(COMBO), { pick: "b" });
    expect((await Objects.of(bytes)).text(0, "Ff")).toBe(String(COMBO));
  });

  it("takes any text for a dropdown that can be edited", async () => {
    const { bytes } = await fill(choice(COMBO + EDIT), { pick: "Delta" });
    expect((await Objects.of(bytes)).text(0, "V")).toBe("(Delta)");
  });

  it("selects several rows of a list that allows it", async () => {
    const { bytes } = await fill(choice(MULTISELECT), { pick: ["Gamma", "a"] });
    const objects = await Objects.of(bytes);
    expect(objects.text(0, "V")).toBe("[ (c) (a) ]");
    expect(objects.text(0, "I")).toBe("[ 0 2 ]");
    expect(await ink(bytes, BOX)).toBeGreaterThan(2_000);
  });

  it("refuses several rows of any other", async () => {
    await expect(fill(choice(0), { pick: ["a", "b"] })).rejects.toThrow("takes one option, not a list of 2");
  });

  it("empties with null", async () => {
    const { bytes } = await fill(choice(0, "/V (a) /I [0]"), { pick: null });
    const objects = await Objects.of(bytes);
    expect([objects.text(0, "V"), objects.text(0, "I")]).toEqual(["undefined", "undefined"]);
  });

  it("is described with values and texts", async () => {
    const { fields } = await describeForm(choice(COMBO));
    expect(fields).toMatchObject([
      { name: "pick", type: "dropdown", options: ["a", "b", "c"], optionLabels: ["Alpha", "Beta", "Gamma"] },
    ]);
  });
});
