import { describe, expect, it } from "vitest";
import { openVault, organizationVault } from "../../../../functions/service/organizations/vault.ts";

const vaultOf = (fill: string) => openVault(async () => Buffer.alloc(64, fill));

describe("the vault", () => {
  it("opens what it sealed, and seals it differently each time", async () => {
    const vault = vaultOf("a");
    for (const text of ["", "whsec_x", "Größe 漢字"]) {
      const sealed = [await vault.seal(text, "p"), await vault.seal(text, "p")];
      expect(sealed[0]).not.toBe(sealed[1]);
      for (const one of sealed) expect(await vault.open(one, "p")).toBe(text);
    }
  });

  it("refuses text of another key, purpose or organization, and changed text", async () => {
    const vault = vaultOf("a");
    const mine = organizationVault(vault, 1);
    const sealed = await mine.seal("secret", "p");
    expect(sealed).not.toContain("secret");
    await expect(mine.open(sealed, "q")).rejects.toThrow();
    await expect(organizationVault(vault, 2).open(sealed, "p")).rejects.toThrow();
    await expect(organizationVault(vaultOf("b"), 1).open(sealed, "p")).rejects.toThrow();
    const at = Math.floor(sealed.length / 2);
    const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
    for (const wrong of [changed, sealed.slice(0, -4), "v1.", "", "secret"]) {
      await expect(mine.open(wrong, "p"), wrong).rejects.toThrow();
    }
  });
});
