import { describe, expect, it } from "vitest";
import { parseEpc } from "../../../../../functions/engine/readers/barcodes/epc-qr.ts";
import { parseElementString, parseTradeItem } from "../../../../../functions/engine/readers/barcodes/gs1.ts";
import { parseDigitalLink } from "../../../../../functions/engine/readers/barcodes/gs1-digital-link.ts";
import {
  hasCheckDigit,
  isCreditorReference,
  isQrReference,
} from "../../../../../functions/engine/readers/barcodes/payment-references.ts";
import { parseSwissQrBill } from "../../../../../functions/engine/readers/barcodes/swiss-qr.ts";

const GS = "\u001d";

/** An IBAN with the right check digits: 98 less the rest of the rearranged digits (ISO 13616). */
function iban(country: string, account: string): string {
  const digits = [...`${account}${country}00`].map((character) => Number.parseInt(character, 36)).join("");
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, "0")}${account}`;
}

/** A creditor reference made as ISO 11649 says. */
const creditorReference = (text: string): string => {
  const digits = [...`${text}RF00`].map((character) => Number.parseInt(character, 36)).join("");
  return `RF${String(98n - (BigInt(digits) % 97n)).padStart(2, "0")}${text}`;
};

/** A QR reference of 26 digits with its check digit, by the table of all carries written out. */
function qrReference(digits: string): string {
  const table = "0946827135";
  let carry = 0;
  for (const digit of digits) carry = Number(table[(carry + Number(digit)) % 10]);
  return `${digits}${(10 - carry) % 10}`;
}

const PLAIN = iban("CH", "00762011623852957");
const QR = iban("CH", "31999123000889012");
const REFERENCE = qrReference("21000000000313947143000901");

interface Slip {
  iban?: string;
  creditor?: string[];
  ultimate?: string[];
  amount?: string;
  currency?: string;
  debtor?: string[];
  type?: string;
  reference?: string;
  message?: string;
  rest?: string[];
}

const NOBODY = Array.from({ length: 7 }, () => "");
const MAKER = ["S", "Muster AG", "Seeweg", "7", "8000", "Zürich", "CH"];
const PAYER = ["S", "Pia Beispiel", "Gasse", "28", "9400", "Rorschach", "CH"];

const slip = (own: Slip = {}, separator = "\n"): string =>
  [
    "SPC",
    "0200",
    "1",
    own.iban ?? QR,
    ...(own.creditor ?? MAKER),
    ...(own.ultimate ?? NOBODY),
    own.amount ?? "1949.75",
    own.currency ?? "CHF",
    ...(own.debtor ?? PAYER),
    own.type ?? "QRR",
    own.reference ?? REFERENCE,
    own.message ?? "Auftrag vom 15.06.2024",
    "EPD",
    ...(own.rest ?? []),
  ].join(separator);

describe("check digit functions", () => {
  it("accept right and refuse wrong numbers", () => {
    expect(isQrReference(REFERENCE)).toBe(true);
    for (let digit = 0; digit < 10; digit += 1) {
      const changed = `${REFERENCE.slice(0, -1)}${digit}`;
      expect(isQrReference(changed)).toBe(changed === REFERENCE);
    }
    expect(isQrReference(REFERENCE.slice(1))).toBe(false);
    expect(isCreditorReference(creditorReference("539007547034"))).toBe(true);
    expect(isCreditorReference("RF18539007547034")).toBe(true);
    expect(isCreditorReference("RF19539007547034")).toBe(false);
    expect(
      ["4006381333931", "96385074", "036000291452", "00012345600012", "106141412345678908"].map(hasCheckDigit),
    ).toEqual([true, true, true, true, true]);
    expect(["4006381333932", "", "7", "12a4"].map(hasCheckDigit)).toEqual([false, false, false, false]);
  });
});

describe("parseSwissQrBill", () => {
  it("returns the fields of the code", () => {
    const bill = slip({ rest: ["//S1/10/10201409/11/190512", "eBill/B/41010560425610173"] });
    expect(parseSwissQrBill(bill)).toEqual({
      type: "swiss-qr-bill",
      valid: true,
      faults: [],
      fields: {
        version: "0200",
        iban: QR,
        creditor: {
          name: "Muster AG",
          street: "Seeweg",
          houseNumber: "7",
          postalCode: "8000",
          town: "Zürich",
          country: "CH",
        },
        amount: 1949.75,
        currency: "CHF",
        debtor: {
          name: "Pia Beispiel",
          street: "Gasse",
          houseNumber: "28",
          postalCode: "9400",
          town: "Rorschach",
          country: "CH",
        },
        referenceType: "QRR",
        reference: REFERENCE,
        message: "Auftrag vom 15.06.2024",
        billInformation: "//S1/10/10201409/11/190512",
        alternativeProcedure1: "eBill/B/41010560425610173",
      },
    });
  });

  it("accepts a missing amount and debtor, combined addresses and Windows line ends", () => {
    const combined = ["K", "Muster AG", "Seeweg 7", "8000 Zürich", "", "", "CH"];
    const bill = slip(
      { creditor: combined, amount: "", debtor: NOBODY, iban: PLAIN, type: "NON", reference: "" },
      "\r\n",
    );
    const payload = parseSwissQrBill(`${bill}\r\n\r\n`);
    expect(payload?.faults).toEqual([]);
    expect(payload?.fields).toMatchObject({ creditor: { addressLine1: "Seeweg 7", addressLine2: "8000 Zürich" } });
    expect(Object.keys(payload?.fields ?? {})).not.toContain("amount");
    expect(Object.keys(payload?.fields ?? {})).not.toContain("debtor");
  });

  it.each<[string, Slip, RegExp]>([
    ["a wrong IBAN", { iban: QR.replace(/.$/, (digit) => String((Number(digit) + 1) % 10)) }, /not a valid IBAN/],
    [
      "an IBAN of another country",
      { iban: iban("DE", "370400440532013000"), type: "NON", reference: "" },
      /not a valid IBAN/,
    ],
    ["a QR reference with another IBAN", { iban: PLAIN }, /needs a QR-IBAN/],
    ["a QR-IBAN without a QR reference", { type: "NON", reference: "" }, /needs a QR reference/],
    [
      "a wrong check digit",
      { reference: REFERENCE.replace(/.$/, (digit) => String((Number(digit) + 1) % 10)) },
      /check digit/,
    ],
    ["a wrong creditor reference", { iban: PLAIN, type: "SCOR", reference: "RF19539007547034" }, /creditor reference/],
    ["a reference of no kind", { iban: PLAIN, type: "NON", reference: "77" }, /says that there is none/],
    ["an amount without rappen", { amount: "100" }, /two decimals/],
    ["an amount with words", { amount: "1e5" }, /two decimals/],
    ["another currency", { currency: "USD" }, /neither CHF nor EUR/],
    ["no creditor", { creditor: NOBODY }, /no creditor/],
    ["a final creditor", { ultimate: MAKER }, /must not be used/],
    ["an address of another kind", { debtor: ["X", ...PAYER.slice(1)] }, /neither S nor K/],
    ["too much to say", { message: "x".repeat(141) }, /140/],
  ])("reports the fault: %s", (_name, own, fault) => {
    const payload = parseSwissQrBill(slip(own));
    expect(payload?.valid).toBe(false);
    expect(payload?.faults.join("; ")).toMatch(fault);
  });

  it("accepts a right creditor reference, and refuses text that is no payment slip", () => {
    expect(parseSwissQrBill(slip({ iban: PLAIN, type: "SCOR", reference: creditorReference("2024X17") }))?.valid).toBe(
      true,
    );
    expect(parseSwissQrBill("SPC\nand so on")).toBeUndefined();
    expect(parseSwissQrBill("https://example.org")).toBeUndefined();
  });
});

describe("parseEpc", () => {
  const transfer = (...lines: string[]): string => ["BCD", "002", "1", "SCT", "", "Verein Süd", ...lines].join("\n");
  const ACCOUNT = iban("DE", "370400440532013000");

  it("returns the fields of the code", () => {
    expect(parseEpc(transfer(ACCOUNT, "EUR1234.5", "CHAR", "", "Spende", "Danke"))).toEqual({
      type: "epc",
      valid: true,
      faults: [],
      fields: {
        version: "002",
        name: "Verein Süd",
        iban: ACCOUNT,
        amount: 1234.5,
        currency: "EUR",
        purpose: "CHAR",
        text: "Spende",
        information: "Danke",
      },
    });
    expect(parseEpc(transfer(ACCOUNT))?.valid).toBe(true);
  });

  it.each<[string, string, RegExp]>([
    ["a wrong IBAN", transfer("DE00370400440532013000"), /IBAN fails/],
    ["another currency", transfer(ACCOUNT, "USD5"), /amount/],
    ["nothing to pay", transfer(ACCOUNT, "EUR0.00"), /amount/],
    ["a reference and a text", transfer(ACCOUNT, "EUR1", "", creditorReference("7"), "text"), /only one/],
    ["a wrong reference", transfer(ACCOUNT, "EUR1", "", "RF19539007547034"), /fails its check/],
    ["version 1 without a BIC", `BCD\n001\n1\nSCT\n\nVerein\n${ACCOUNT}`, /needs the bank's BIC/],
    ["a name too long", `BCD\n002\n1\nSCT\n\n${"x".repeat(71)}\n${ACCOUNT}`, /name/],
    ["another kind of transfer", `BCD\n002\n1\nINST\n\nVerein\n${ACCOUNT}`, /SCT/],
  ])("reports the fault: %s", (_name, text, fault) => {
    const payload = parseEpc(text);
    expect(payload?.valid).toBe(false);
    expect(payload?.faults.join("; ")).toMatch(fault);
  });

  it("refuses other text", () => expect(parseEpc("BCDEFG")).toBeUndefined());
});

describe("GS1 parsers", () => {
  it.each<[string, string, Record<string, unknown>]>([
    ["fixed lengths in a row", "010950110153000317250630", { gtin: "09501101530003", expirationDate: "2025-06-30" }],
    ["a separator behind a variable one", `10LOT-7${GS}21S/N${GS}`, { batch: "LOT-7", serialNumber: "S/N" }],
    [
      "a variable one at the end",
      "00106141412345678908400PO 4711".replace(" ", "_"),
      { sscc: "106141412345678908", orderNumber: "PO_4711" },
    ],
    ["implied decimals", `3103001750${GS}3922${"1099"}`, { netWeightKg: 1.75, price: 10.99 }],
    ["a price with its currency", "3932978" + "001250", { priceWithCurrency: { currency: "978", value: 12.5 } }],
    ["a month without a day", "11250200", { productionDate: "2025-02" }],
    ["the end of a leap month", "15240200", { bestBeforeDate: "2024-02-29" }],
    ["the last century", "11991231", { productionDate: "1999-12-31" }],
    ["places", "4104012345000009", { shipToLocation: "4012345000009" }],
    ["four digits", `8008250630101530${GS}90own`, { productionTime: "250630101530", agreedInformation: "own" }],
  ])("read %s", (_name, text, fields) => {
    const payload = parseElementString(text);
    expect(payload.faults).toEqual([]);
    expect(payload.fields).toEqual(fields);
  });

  it.each<[string, string, RegExp]>([
    ["a wrong check digit", "0109501101530004", /check digit of \(01\)/],
    ["no date", "17251350", /\(17\) is no date/],
    ["an identifier that there is not", `10A${GS}05`, /no application identifier 05/],
    ["a value cut short", "01095011", /\(01\) is not of its form/],
    ["letters for digits", "37A1", /\(37\) is not of its form/],
    ["two that disagree", `10A${GS}10B`, /twice/],
    ["nothing", "", /no elements/],
  ])("report the fault: %s", (_name, text, fault) => {
    const payload = parseElementString(text);
    expect(payload.valid).toBe(false);
    expect(payload.faults.join("; ")).toMatch(fault);
  });

  it("end with any text", () => {
    expect(parseElementString(GS.repeat(10_000)).valid).toBe(false);
    expect(parseElementString("90".repeat(50_000)).valid).toBe(false);
  });

  it("read links", () => {
    const link = "https://id.example.org/some/01/9506000134352/10/ABC%2F1?17=261231&x=1";
    expect(parseDigitalLink(link)).toEqual({
      type: "gs1",
      valid: true,
      faults: [],
      fields: { link, gtin: "09506000134352", batch: "ABC/1", expirationDate: "2026-12-31" },
    });
    expect(parseDigitalLink("https://example.org/01/9506000134353")?.valid).toBe(false);
    expect(parseDigitalLink("https://example.org/news/01/today")).toBeUndefined();
    expect(parseDigitalLink("https://example.org/")).toBeUndefined();
    expect(parseDigitalLink("01/9506000134352")).toBeUndefined();
  });

  it("read plain numbers", () => {
    expect(parseTradeItem("96385074")).toMatchObject({ valid: true, fields: { gtin: "96385074" } });
    expect(parseTradeItem("9771234567003")?.fields).toMatchObject({ issn: "9771234567003" });
    expect(parseTradeItem("4006381333932")?.valid).toBe(false);
    expect(parseTradeItem("123")).toBeUndefined();
  });
});
