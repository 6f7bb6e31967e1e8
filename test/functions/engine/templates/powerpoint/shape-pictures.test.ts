import { describe, expect, it } from "vitest";
import { relationshipsOf } from "../../../../../functions/engine/templates/office/part-relationships.ts";
import { openTemplatePackage } from "../../../../../functions/engine/templates/office/template-package.ts";
import { describePowerPoint } from "../../../../../functions/engine/templates/powerpoint/powerpoint-template.ts";
import { fillDeck, pictureShape, table, textBox } from "../../../../support/deck-template.ts";
import { claimingPng } from "../../../../support/images.ts";
import { frame, presentation, shape } from "../../../../support/office-parts.ts";

const images = new Map([
  ["images/wide.png", claimingPng(400, 100)],
  ["images/old.png", claimingPng(10, 10)],
]);
const EMU = 914_400;

const deck = (shapes: string, layout = ""): Uint8Array =>
  presentation([{ shapes, relationships: { pic: ["image", "../media/old.png"] } }], layout, "", "", {
    "ppt/media/old.png": claimingPng(10, 10),
  });

const fill = async (bytes: Uint8Array, fields: Parameters<typeof fillDeck>[1]) => {
  const filled = (await fillDeck(bytes, fields, { images })).bytes;
  const office = openTemplatePackage(filled);
  return { office, xml: new TextDecoder().decode(office.read("ppt/slides/slide1.xml")) };
};

describe("a picture", () => {
  it("takes the place of one whose alternative text is a tag, in the middle of its box", async () => {
    const bytes = deck(pictureShape("{logo}", "pic"));
    expect((await describePowerPoint(bytes)).fields).toMatchObject([{ name: "logo", type: "image" }]);
    const { office, xml } = await fill(bytes, { logo: { _ref: "images/wide.png" } });
    const picture = relationshipsOf(office, "ppt/slides/slide1.xml").find(({ target }) => target.includes("picture"));
    expect(xml).toContain(`r:embed="${picture?.id}"`);
    expect(office.contentType(picture?.target ?? "")).toBe("image/png");
    // As wide as the box of 4 by 2 inches, and half a inch below its top.
    expect(xml).toContain(`<a:off x="${EMU}" y="${1.5 * EMU}"/><a:ext cx="${4 * EMU}" cy="${EMU}"/>`);
    expect(xml).toContain('prst="ellipse"');
    expect(xml).not.toContain("srcRect");
    expect(xml).not.toContain("{logo}");
  });

  it("has the measures that are asked for", async () => {
    const { xml } = await fill(deck(pictureShape("{logo}", "pic")), {
      logo: { _ref: "images/wide.png", width_mm: 20 },
    });
    expect(xml).toContain('<a:ext cx="720000" cy="180000"/>');
  });

  it("goes where no value is given", async () => {
    expect((await fill(deck(pictureShape("{logo}", "pic") + textBox("{a}")), { a: 1 })).xml).not.toContain("p:pic");
  });

  it("takes the place of a text that is one tag, at its own box or its placeholder's", async () => {
    const own = await fill(deck(textBox("{%logo}")), { logo: { _ref: "images/wide.png" } });
    expect(own.xml).toMatch(/<p:pic .*<a:blip r:embed="[^"]+"\/>/);
    const layout = shape({ type: "pic", index: "7", at: frame(2, 2, 2, 2) });
    const held = await fill(deck(shape({ type: "pic", index: "7", text: "{logo}" }), layout), {
      logo: { _ref: "images/wide.png" },
    });
    expect(held.xml).toContain(`<a:off x="${2 * EMU}" y="${2.75 * EMU}"/>`);
  });

  it("is stored once however often it is shown", async () => {
    const { office } = await fill(deck(textBox("{%a}") + textBox("{%b}")), {
      a: { _ref: "images/wide.png" },
      b: { _ref: "images/wide.png" },
    });
    expect(office.names.filter((name) => name.startsWith("ppt/media/picture"))).toHaveLength(1);
  });

  it("is refused among other text, and by a reference to nothing", async () => {
    const value = { logo: { _ref: "images/wide.png" } };
    await expect(fill(deck(textBox("Logo: {logo}")), value)).rejects.toThrow("give it a shape of its own");
    await expect(fill(deck(table([["{logo}"]])), value)).rejects.toThrow("give it a shape of its own");
    await expect(fill(deck(textBox("{%logo}")), { logo: "x" })).rejects.toThrow("takes a picture");
    await expect(fill(deck(textBox("{%logo}")), { logo: { _ref: "no" } })).rejects.toThrow("is not there: no");
  });
});
