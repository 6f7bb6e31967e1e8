import { describe, expect, it } from "vitest";
import { BadRequest } from "../../../../../functions/ports/errors.ts";
import { fill, ink, Objects } from "../../../../support/filled-form.ts";
import { handForm, look } from "../../../../support/hand-form.ts";

const SQUARE = "0 0 1 rg 2 2 16 16 re f";
const BOX = [20, 20, 40, 40] as const;

/** A checkbox with an appearance given as PDF syntax, and the objects 100 (a blue square) and 101 (nothing). */
const box = (appearance: string, more = "", objects: string[] = []) =>
  handForm({
    widgets: [`/FT /Btn /T (box) /Rect [${BOX.join(" ")}] ${appearance} ${more}`],
    objects: [look(100, SQUARE), look(101, ""), ...objects],
  });

describe("fillToggle, checkboxes", () => {
  it("checks a state of any name", async () => {
    const { bytes } = await fill(box("/AP <</N <</#4a#61 100 0 R /Off 101 0 R>>>>"), { box: true });
    const objects = await Objects.of(bytes);
    expect([objects.text(0, "V"), objects.text(0, "AS")]).toEqual(["/Ja", "/Ja"]);
    expect(await ink(bytes, BOX)).toBeGreaterThan(200);
  });

  it("checks a state behind references from /AP and /N", async () => {
    const form = box("/AP 110 0 R", "", ["110 0 obj <</N 111 0 R>> endobj", "111 0 obj <</On 100 0 R>> endobj"]);
    const { bytes } = await fill(form, { box: true });
    const objects = await Objects.of(bytes);
    expect(objects.text(0, "AS")).toBe("/On");
    expect(objects.operators(0, "On")).toBe(SQUARE);
    expect(objects.operators(0, "Off")).toBe("");
    expect(await ink(bytes, BOX)).toBeGreaterThan(200);
  });

  it.each([
    ["no appearance", ""],
    ["an appearance that is null", "/AP <</N null>>"],
    ["an appearance that is a number", "/AP <</N 7>>"],
    ["an appearance that is missing from the file", "/AP <</N 199 0 R>>"],
    ["a state that is missing from the file", "/AP <</N <</Yes 199 0 R>>>>"],
    ["one appearance for all states", "/AP <</N 100 0 R>>"],
  ])("gives a box with %s a stream for each state, as viewers require", async (_, appearance) => {
    const { bytes } = await fill(box(appearance), { box: true });
    const objects = await Objects.of(bytes);
    expect([objects.text(0, "V"), objects.text(0, "AS")]).toEqual(["/Yes", "/Yes"]);
    expect(objects.operators(0, "Yes")).toContain("Tj");
    expect(objects.operators(0, "Off")).toBe("");
    expect(await ink(bytes, BOX)).toBeGreaterThan(40);
  });

  it("unchecks", async () => {
    const { bytes } = await fill(box("/AP <</N <</Yes 100 0 R>>>>", "/V /Yes /AS /Yes"), { box: false });
    const objects = await Objects.of(bytes);
    expect([objects.text(0, "V"), objects.text(0, "AS")]).toEqual(["/Off", "/Off"]);
    expect(await ink(bytes, BOX)).toBe(0);
  });

  it("takes no unchecked picture under a second name for the checked one", async () => {
    const { bytes } = await fill(box("/AP <</N <</N 101 0 R /1 100 0 R>> /D <</1 100 0 R /Off 101 0 R>>>>"), {
      box: true,
    });
    expect((await Objects.of(bytes)).text(0, "AS")).toBe("/1");
    expect(await ink(bytes, BOX)).toBeGreaterThan(200);
  });

  it.each([["Yes"], ["yes"], ["true"], [1], ["x"]])("takes %s for checked", async (value) => {
    const { bytes } = await fill(box("/AP <</N <</Yes 100 0 R>>>>"), { box: value });
    expect((await Objects.of(bytes)).text(0, "V")).toBe("/Yes");
  });

  it("refuses a value that is no state, and lists the states", async () => {
    const filling = fill(box("/AP <</N <</Ja 100 0 R>>>>"), { box: "maybe" });
    await expect(filling).rejects.toThrow('The field box does not have the state "maybe"; its states are Ja');
  });

  it("leaves the appearance of a widget that shares its dictionary", async () => {
    const form = handForm({
      widgets: [
        "/FT /Btn /T (one) /Rect [20 20 40 40] /AP 110 0 R /AS /Off",
        "/FT /Btn /T (two) /Rect [120 20 160 60] /AP 110 0 R /AS /Off",
      ],
      objects: ["110 0 obj <</N <</Yes 199 0 R>>>> endobj"],
    });
    const { bytes } = await fill(form, { one: true });
    const objects = await Objects.of(bytes);
    expect(objects.text(0, "AP", "N", "Yes")).not.toBe("undefined");
    expect(objects.text(1, "AP", "N", "Yes")).toBe("undefined");
  });
});

describe("fillToggle, groups", () => {
  const group = (kind: string) =>
    handForm({
      fields: "50 0 R",
      widgets: [20, 60, 100].map(
        (x, index) =>
          `/Parent 50 0 R /Rect [${x} 20 ${x + 20} 40] /AS /Off /AP <</N <</s${index} 100 0 R /Off 101 0 R>>>>`,
      ),
      objects: [
        look(100, SQUARE),
        look(101, ""),
        `50 0 obj <</FT /Btn /T (group) ${kind} /Kids [10 0 R 11 0 R 12 0 R]>> endobj`,
      ],
    });

  it.each([
    ["checkboxes", ""],
    ["radio buttons", "/Ff 32768"],
  ])("reach every state of %s", async (_, kind) => {
    for (const state of ["s0", "s1", "s2"]) {
      const { bytes } = await fill(group(kind), { group: state });
      const objects = await Objects.of(bytes);
      const shown = [0, 1, 2].map((index) => objects.text(index, "AS"));
      expect(shown).toEqual(["s0", "s1", "s2"].map((one) => (one === state ? `/${one}` : "/Off")));
      expect(await ink(bytes, [20, 20, 120, 40])).toBe(256);
    }
  });

  it("of several states want one named", async () => {
    const filling = fill(group(""), { group: true });
    await expect(filling).rejects.toThrow("The field group has several states; name one of s0, s1, s2");
    await expect(fill(group(""), { group: true })).rejects.toBeInstanceOf(BadRequest);
  });

  it("take the export values of /Opt", async () => {
    const { bytes } = await fill(group("/Ff 32768 /Opt [(red) (green) (blue)]"), { group: "green" });
    expect((await Objects.of(bytes)).text(1, "AS")).toBe("/s1");
  });
});
