import { describe, expect, it } from "vitest";
import { PDF } from "../../../../functions/ports/media-types.ts";
import { pdfAcroForm } from "../../../../functions/service/operations/pdf-acroform.ts";
import { pdfAcroFormApply } from "../../../../functions/service/operations/pdf-acroform-apply.ts";
import type { Material } from "../../../../functions/service/runs/run-command.ts";

const material = (stated: Partial<Material> = {}): Material => ({
  guid: "job",
  run: 1,
  mimeType: PDF,
  layoutKey: "layout",
  ocr: "DEFAULT",
  ...stated,
});
const withoutLayout = (): Material => {
  const { layoutKey: _layoutKey, ...rest } = material();
  return rest;
};

describe("what pdf-acroform needs", () => {
  it("is a PDF whose pages were read", () => {
    expect(() => pdfAcroForm.require(material(), {})).not.toThrow();
  });

  it.each<[string, Material, string]>([
    ["no PDF", material({ mimeType: "text/plain" }), "a form can be made of a PDF only"],
    ["a password that is erased", material({ hasPassword: true }), "upload a copy without one"],
  ])("is missing with %s, and no recognition helps", (_name, given, sentence) => {
    expect(() => pdfAcroForm.require(given, { forceOcr: true })).toThrow(sentence);
    expect(() => pdfAcroFormApply.require(given, {})).toThrow(sentence);
  });

  it.each<[string, Material, string]>([
    ["no layout", withoutLayout(), "has no images of its pages"],
    ["words without places", material({ ocr: "LOW" }), "was read with ocr LOW"],
    ["pages that were not read", material({ unreadPages: 2 }), "2 pages of job job are images that were not read"],
  ])("is missing with %s, unless the document is read anew", (_name, given, sentence) => {
    expect(() => pdfAcroForm.require(given, { forceOcr: false })).toThrow(`${sentence}`);
    expect(() => pdfAcroForm.require(given, { forceOcr: false })).toThrow("set forceOcr to true");
    expect(() => pdfAcroForm.require(given, { forceOcr: true })).not.toThrow();
    expect(() => pdfAcroFormApply.require(given, {})).not.toThrow();
  });

  it("is read anew in the mode that `ocr` names, where it is to be", () => {
    expect(pdfAcroForm.readsWith?.({ forceOcr: true, ocr: "AUTO" })).toBe("AUTO");
    expect(pdfAcroForm.readsWith?.({ forceOcr: false, ocr: "AUTO" })).toBeUndefined();
  });
});
