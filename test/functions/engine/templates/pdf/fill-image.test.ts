import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { fill, ink } from "../../../../support/filled-form.ts";
import { handForm } from "../../../../support/hand-form.ts";

const BOX = [20, 20, 220, 120] as const;
const rect = `/Rect [${BOX.join(" ")}]`;
const form = handForm({
  widgets: [
    `/FT /Btn /Ff 65536 /T (logo) ${rect}`,
    "/FT /Sig /T (sign) /Rect [20 200 220 300]",
    "/FT /Tx /T (text) /Rect [240 20 340 120]",
    "/FT /Btn /T (box) /Rect [240 200 260 220]",
  ],
});

const picture = (width: number, height: number, format: "png" | "jpeg") =>
  sharp({ create: { width, height, channels: 3, background: "#000" } })
    .toFormat(format)
    .toBuffer();
const images = async (width = 40, height = 40, format: "png" | "jpeg" = "png") =>
  new Map([["logo.png", new Uint8Array(await picture(width, height, format))]]);
const ref = { _ref: "logo.png" };

describe("fillImage", () => {
  it.each(["png", "jpeg"] as const)("draws a %s as large as a button allows, in its proportions", async (format) => {
    const { bytes } = await fill(form, { logo: ref }, { images: await images(40, 40, format) });
    expect(await ink(bytes, BOX)).toBeGreaterThan(9_500);
    expect(await ink(bytes, [70, 20, 170, 120])).toBeGreaterThan(9_500);
  });

  it.each([
    ["sign", [20, 200, 220, 300]],
    ["text", [240, 20, 340, 120]],
  ] as const)("draws into the field %s", async (name, box) => {
    const { bytes } = await fill(form, { [name]: ref }, { images: await images() });
    expect(await ink(bytes, box)).toBeGreaterThan(9_500);
  });

  it("keeps the proportions where one measure is given", async () => {
    const { bytes } = await fill(form, { logo: { ...ref, width_mm: 20 } }, { images: await images(80, 40) });
    const drawn = await ink(bytes, BOX);
    const [width, height] = [(20 * 72) / 25.4, (10 * 72) / 25.4];
    expect(Math.abs(drawn - width * height)).toBeLessThan(200);
  });

  it("stays in its field, however large the measure", async () => {
    const { bytes } = await fill(form, { logo: { ...ref, width_mm: 500 } }, { images: await images() });
    expect(await ink(bytes, [0, 0, 400, 400])).toBe(await ink(bytes, BOX));
  });

  it("refuses a picture that is not there, one of another format, and one that is no reference", async () => {
    await expect(fill(form, { logo: ref })).rejects.toThrow("names a picture that is not there: logo.png");
    const gif = new Map([["logo.png", new TextEncoder().encode("GIF89a")]]);
    await expect(fill(form, { logo: ref }, { images: gif })).rejects.toThrow("upload it as PNG or JPEG");
    await expect(fill(form, { logo: "logo.png" })).rejects.toThrow('takes a picture: {"_ref": …}');
    await expect(fill(form, { box: ref }, { images: await images() })).rejects.toThrow("takes no picture");
    await expect(fill(form, { logo: { ...ref, width_mm: -1 } }, { images: await images() })).rejects.toThrow(
      "width_mm",
    );
  });

  it("refuses a picture that unpacks to gigabytes", async () => {
    const bomb = new Uint8Array(await picture(10, 10, "png"));
    new DataView(bomb.buffer).setUint32(16, 100_000);
    new DataView(bomb.buffer).setUint32(20, 100_000);
    const filling = fill(form, { logo: ref }, { images: new Map([["logo.png", bomb]]) });
    await expect(filling).rejects.toThrow("more than 25 million pixels");
  });
});
