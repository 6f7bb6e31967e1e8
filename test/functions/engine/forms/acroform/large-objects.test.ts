import { describe, expect, it } from "vitest";
import { refuseLargeObjects } from "../../../../../functions/engine/forms/acroform/large-objects.ts";
import { describeForm } from "../../../../../functions/engine/templates/pdf/describe-form.ts";
import { cpuSeconds } from "../../../../support/cpu.ts";
import { handForm, streamObject } from "../../../../support/hand-form.ts";
import { HOSTILE_FORMS } from "../../../../support/hostile-forms.ts";

const widgets = ["/FT /Tx /T (a) /Rect [20 20 200 40]"];

describe("refuseLargeObjects", () => {
  it("refuses a form with megabytes of numbers in one object at once", async () => {
    const form = HOSTILE_FORMS["ten megabytes of numbers"]?.() ?? new Uint8Array();
    const start = process.cpuUsage();
    await expect(describeForm(form)).rejects.toThrow("one of its objects has more than 2 MB");
    expect(cpuSeconds(start)).toBeLessThan(0.5);
  });

  it("takes large streams, many objects and a long list of them", () => {
    const many = Array.from({ length: 120_000 }, (_, index) => `${101 + index} 0 obj <</A ${index}>> endobj`);
    const form = handForm({ widgets, objects: [streamObject(100, "", "0 ".repeat(2_000_000)), ...many] });
    const start = process.cpuUsage();
    expect(() => refuseLargeObjects(form)).not.toThrow();
    expect(cpuSeconds(start)).toBeLessThan(1);
  });

  it("ends soon on a file of beginnings alone", () => {
    const start = process.cpuUsage();
    expect(() => refuseLargeObjects(new Uint8Array(Buffer.from(" obj stream".repeat(500_000))))).not.toThrow();
    expect(cpuSeconds(start)).toBeLessThan(0.5);
  });
});
