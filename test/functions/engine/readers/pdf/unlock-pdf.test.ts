import { describe, expect, it } from "vitest";
import { acroFormMetadata } from "../../../../../functions/engine/forms/acroform/acroform-metadata.ts";
import { unlockPdf } from "../../../../../functions/engine/readers/pdf/unlock-pdf.ts";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import { JOB_SENTENCES } from "../../../../../functions/ports/errors.ts";
import { PDF } from "../../../../../functions/ports/media-types.ts";
import { lineTexts } from "../../../../support/layout.ts";
import { encryptedPdf, filteredPdf, textPdf } from "../../../../support/pdf.ts";

const TEXT = ["Behind a password"];
const read = async (pdf: Uint8Array): Promise<string[]> =>
  lineTexts((await readDocument(pdf, { mimeType: PDF })).layout.pages[0]);
const readWith = async (pdf: Uint8Array, password: string): Promise<string[]> => read(await unlockPdf(pdf, password));

describe("unlockPdf", () => {
  it.each(["RC4-40", "RC4-128", "AES-128", "AES-256"] as const)(
    "opens %s with the user's and with the owner's password, and with no other",
    async (algorithm) => {
      const pdf = await encryptedPdf({ user: "reader 1", owner: "owner 1" }, algorithm);
      expect(await readWith(pdf, "reader 1")).toEqual(TEXT);
      expect(await readWith(pdf, "owner 1")).toEqual(TEXT);
      for (const wrong of ["reader", "reader 12", "READER 1", "pässword"]) {
        await expect(unlockPdf(pdf, wrong)).rejects.toThrow(JOB_SENTENCES.wrongPassword);
      }
    },
  );

  it("gives a plain file, which every reader opens", async () => {
    const plain = await unlockPdf(await encryptedPdf({ user: "u", owner: "o" }), "u");
    expect(Buffer.from(plain).includes("/Encrypt")).toBe(false);
    expect((await acroFormMetadata(plain)).pages).toHaveLength(1);
  });

  it.each([
    ["letters beyond ASCII", "pässwörd", "AES-256"],
    ["another script", "пароль 密码", "AES-256"],
    ["letters of Latin-1 in old encryption", "pässwörd", "RC4-128"],
    ["more than 127 bytes", "ü".repeat(80), "AES-256"],
  ] as const)("opens with a password of %s", async (_what, password, algorithm) => {
    expect(await readWith(await encryptedPdf({ user: password, owner: "o" }, algorithm), password)).toEqual(TEXT);
  });

  it.each([
    ["compatibility forms", "ﬁnal ①Ⅳ", "final 1IV"],
    ["separate accents", "pa\u0308ss", "p\u00e4ss"],
    ["unusual spaces and soft hyphens", "a\u00a0b\u00adc", "a bc"],
  ])("reads %s as SASLprep does", async (_what, typed, prepared) => {
    expect(await readWith(await encryptedPdf({ user: prepared, owner: "o" }), typed)).toEqual(TEXT);
  });

  it("returns a file that opens without a password as it is", async () => {
    const [open, owned] = [await textPdf([{ text: "Open", x: 50, y: 700 }]), await encryptedPdf({ owner: "o" })];
    expect(await unlockPdf(open, "x")).toBe(open);
    expect(await unlockPdf(owned, "x")).toBe(owned);
  });

  it("names encryption that no password opens, and damage", async () => {
    await expect(unlockPdf(filteredPdf("Adobe.PubSec"), "x")).rejects.toThrow(JOB_SENTENCES.encrypted);
    await expect(unlockPdf(new Uint8Array(10), "x")).rejects.toThrow(JOB_SENTENCES.corrupted);
  });
});
