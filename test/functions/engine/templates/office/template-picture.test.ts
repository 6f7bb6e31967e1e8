import { describe, expect, it } from "vitest";
import { MAX_RENDERED_ITEMS, RenderedItems } from "../../../../../functions/engine/templates/office/rendered-items.ts";
import {
  EMU_PER_MILLIMETRE,
  pictureSize,
  templatePicture,
} from "../../../../../functions/engine/templates/office/template-picture.ts";
import { parseTree, writeTree } from "../../../../../functions/engine/templates/office/xml-tree.ts";
import { claimingPng } from "../../../../support/images.ts";

const images = new Map([["images/a.png", claimingPng(96, 48)]]);
const picture = (more: Record<string, number> = {}) =>
  templatePicture("logo", { _ref: "images/a.png", ...more }, images);

describe("templatePicture", () => {
  it("has its own size, and the measures that are asked for in proportion", () => {
    expect(pictureSize(picture())).toEqual({ width: 914_400, height: 457_200 });
    const wide = pictureSize(picture({ width_mm: 20 }));
    expect(wide).toEqual({ width: 20 * EMU_PER_MILLIMETRE, height: 10 * EMU_PER_MILLIMETRE });
    expect(pictureSize(picture(), { width: 100_000, height: 100_000 })).toEqual({ width: 100_000, height: 50_000 });
  });

  it("names the field of a picture that cannot be placed", () => {
    expect(() => templatePicture("logo", "a.png", images)).toThrow("The field logo takes a picture");
    expect(() => templatePicture("logo", { _ref: "b" }, images)).toThrow("names a picture that is not there: b");
    expect(() => picture({ width_mm: -1 })).toThrow("width_mm takes a number of millimetres above 0");
  });
});

describe("RenderedItems", () => {
  it("refuses more items than its limit", () => {
    const items = new RenderedItems();
    items.add(MAX_RENDERED_ITEMS);
    expect(() => items.add()).toThrow("more than 100,000 items");
  });
});

describe("parseTree", () => {
  it("is written back as it was read", () => {
    const xml = '<a:p xmlns:a="urn:a" b="1 &lt; 2&#10;"> x &amp; <a:r/>y</a:p>';
    expect(new TextDecoder().decode(writeTree(parseTree(new TextEncoder().encode(xml))))).toContain(xml);
  });
});
