import { describe, expect, it } from "vitest";
import {
  passesCreditorReference,
  passesGtin,
  passesIsin,
  passesLuhn,
  passesMod11And10,
  passesQrReference,
} from "../../../../functions/engine/confidence/check-digits.ts";
import { checkVatId } from "../../../../functions/engine/confidence/vat-ids.ts";

/** Examples published by standards and issuers. */
const EXAMPLES: [string, (text: string) => boolean, string[]][] = [
  ["Luhn", passesLuhn, ["79927398713", "4539578763621486", "732829320"]],
  ["GTIN", passesGtin, ["4006381333931", "73513537", "036000291452", "00012345600012"]],
  ["ISIN", passesIsin, ["US0378331005", "DE000BAY0017", "GB0002634946"]],
  ["creditor reference", passesCreditorReference, ["RF18539007547034", "RF712348231"]],
  ["QR reference", passesQrReference, ["210000000003139471430009017"]],
  ["ISO 7064 MOD 11,10", passesMod11And10, ["136695976", "33392005961"]],
];

const withOtherDigit = (text: string, at: number): string =>
  text.slice(0, at) + String((Number(text[at]) + 1) % 10) + text.slice(at + 1);

describe.each(EXAMPLES)("check digits of %s", (_name, passes, examples) => {
  it.each(examples)("accepts %s", (example) => {
    expect(passes(example)).toBe(true);
  });

  it.each(examples)("refuses %s with any one digit changed", (example) => {
    const places = [...example].flatMap((char, at) => (/\d/.test(char) ? [at] : []));
    const surviving = places.filter((at) => passes(withOtherDigit(example, at)));
    expect(surviving).toEqual([]);
  });
});

/** Numbers published by tax administrations and companies. */
const VAT_IDS =
  "ATU13585627 BE0428759497 BG175074752 CHE100155212 CY10259033P CZ25123891 DE136695976 DK13585628 EE100931558 EL094259216 " +
  "ESA28015865 ES54362315K ESX2482300W FI20774740 FR40303265045 GB980780684 HR33392005961 HU12892312 IE6433435F IE6433435OA " +
  "IT00743110157 LT119511515 LT100001919017 LU15027442 LV40003521600 MT11679112 NL004495445B01 NO995525828 PL8567346215 " +
  "PT501964843 RO18547290 SE123456789701 SI50223054 SK2022749619";

describe("checkVatId", () => {
  it.each(VAT_IDS.split(" "))("accepts %s, and refuses it with a digit changed", (id) => {
    expect(checkVatId(id)).toBe(true);
    const first = id.search(/\d/) + 2;
    expect(checkVatId(withOtherDigit(id, first))).toBe(false);
  });

  it.each(["CHE-100.155.212 MWST", "NL 8104.33.941.B01", "de 136 695 976", "NO 995 525 828 MVA"])(
    "accepts %s as printed",
    (id) => {
      expect(checkVatId(id)).toBe(true);
    },
  );

  it.each(["", "DE12", "US123456789", "XX136695976", "constructor", "FRAB303265045", "BG7501020018", "LV16117519997"])(
    "returns null for %j, which has no public check digit",
    (id) => {
      expect(checkVatId(id)).toBeNull();
    },
  );
});
