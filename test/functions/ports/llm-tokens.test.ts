import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../../functions/ports/llm-tokens.ts";

/** Sentences with the counts of OpenAI's o200k_base and cl100k_base. */
const COUNTED: readonly (readonly [language: string, text: string, o200k: number, cl100k: number])[] = [
  [
    "English",
    "The supplier delivers within thirty days of the order; otherwise the buyer may cancel it in writing and ask for a refund.",
    24,
    24,
  ],
  [
    "German",
    "Bitte überweisen Sie den Rechnungsbetrag innerhalb von 14 Tagen ohne Abzug auf das unten genannte Konto der Gesellschaft.",
    25,
    34,
  ],
  [
    "French",
    "Nous vous remercions de régler cette facture avant l'échéance indiquée, faute de quoi des pénalités seront appliquées.",
    27,
    34,
  ],
  [
    "Polish",
    "Prosimy o zapłatę należności w ciągu czternastu dni od daty wystawienia faktury na podany poniżej rachunek bankowy.",
    35,
    42,
  ],
  [
    "Russian",
    "Поставщик обязуется передать товар покупателю в течение десяти рабочих дней после получения предоплаты.",
    22,
    42,
  ],
  ["Greek", "Παρακαλούμε να εξοφλήσετε το τιμολόγιο εντός τριάντα ημερών από την ημερομηνία έκδοσής του.", 38, 85],
  ["Arabic", "يرجى دفع مبلغ الفاتورة خلال ثلاثين يوما من تاريخ الإصدار إلى الحساب المصرفي المذكور أدناه.", 27, 60],
  ["Hindi", "कृपया इस बिल का भुगतान जारी होने की तारीख से तीस दिनों के भीतर नीचे दिए गए खाते में करें।", 25, 89],
  ["Thai", "กรุณาชำระเงินตามใบแจ้งหนี้ภายในสามสิบวันนับจากวันที่ออกเอกสาร", 25, 55],
  ["Chinese", "请在发票开具之日起三十天内将款项汇入以下银行账户，并注明发票号码。", 26, 33],
  ["Japanese", "請求書の発行日から三十日以内に、下記の銀行口座へお振り込みください。", 27, 40],
  ["Korean", "청구서 발행일로부터 삼십일 이내에 아래 은행 계좌로 대금을 입금하여 주시기 바랍니다.", 30, 47],
  [
    "a table",
    "Pos  Artikel-Nr.   Menge   Einzelpreis     Gesamt\n1    A-100.23      2 St.   1.250,00 EUR    2.500,00 EUR\n2    B-7/44-X      10 St.      9,99 EUR       99,90 EUR",
    68,
    73,
  ],
  [
    "figures",
    "IBAN DE02 1203 0000 0000 2020 51, BIC BYLADEM1001, VAT ID DE811569869, +49 30 901820, 2026-03-31T23:59:59Z",
    56,
    56,
  ],
  [
    "JSON",
    '{"type":"object","properties":{"invoiceNumber":{"type":"string"},"lineItems":{"type":"array","items":{"type":"object"}}}}',
    29,
    28,
  ],
  ["emoji", "Paid ✅ thank you 🙏🏽 see you soon 👩‍💻 — 50 € ≈ 54 $ ☑ ☐ → ©", 31, 35],
  ["capitals", "STATEMENT OF ACCOUNT – AMOUNT DUE UPON RECEIPT – LATE PAYMENTS ARE SUBJECT TO INTEREST", 24, 24],
];

describe("estimateTokens", () => {
  it.each(COUNTED)("is not below the count, nor far above it: %s", (_, text, o200k, cl100k) => {
    const tokens = estimateTokens(text);
    expect(tokens).toBeGreaterThanOrEqual(o200k);
    expect(tokens).toBeGreaterThanOrEqual(0.9 * cl100k);
    expect(tokens).toBeLessThanOrEqual(2 * Math.max(o200k, cl100k));
  });

  it("is 0 for nothing and little for white space", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens(" ")).toBe(0);
    expect(estimateTokens(" ".repeat(1200))).toBeLessThanOrEqual(120);
    expect(estimateTokens("\n")).toBe(1);
  });

  it("counts three digits, and four repeated signs, as one token", () => {
    expect(estimateTokens("123456789")).toBe(3);
    expect(estimateTokens(".".repeat(40))).toBe(10);
  });

  it("grows with the text: no part is estimated above the whole text", () => {
    const text = COUNTED.map(([, sentence]) => sentence).join("\n");
    let before = 0;
    for (let end = 1; end <= text.length; end += 7) {
      const tokens = estimateTokens(text.slice(0, end));
      expect(tokens).toBeGreaterThanOrEqual(before);
      before = tokens;
    }
  });

  it.each([
    ["one word", "a".repeat(1_000_000)],
    ["no words", "!?".repeat(500_000)],
    ["halves of signs", "\ud800".repeat(1_000_000)],
  ])("estimates a million characters within its time limit: %s", (_, text) => {
    const started = performance.now();
    expect(estimateTokens(text)).toBeGreaterThan(100_000);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
