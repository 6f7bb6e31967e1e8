/** Check digits and references of payment slips and goods. */

/** Recursive modulo 10 of Swiss references: the row for each carry (Swiss Implementation Guidelines QR-bill, annex B). */
const CARRIES = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5] as const;

/** Whether the last digit of a Swiss QR reference of 27 digits is right. */
export function isQrReference(text: string): boolean {
  if (!/^\d{27}$/.test(text)) return false;
  let carry = 0;
  for (const digit of text.slice(0, -1)) carry = CARRIES[(carry + Number(digit)) % 10] ?? 0;
  return (10 - carry) % 10 === Number(text.at(-1));
}

/** Whether a creditor reference (`RF18 5390 …` without spaces) passes its check: 1 modulo 97, as IBANs (ISO 11649). */
export function isCreditorReference(text: string): boolean {
  if (!/^RF\d{2}[A-Z0-9]{1,21}$/.test(text)) return false;
  let rest = 0;
  for (const character of text.slice(4) + text.slice(0, 4)) {
    for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97;
  }
  return rest === 1;
}

/**
 * Whether the last digit of a GS1 key (GTIN, SSCC, GLN …) is right: weights 3 and 1 from the right, the sum a multiple
 * of ten (GS1 General Specifications, 7.9).
 */
export function hasCheckDigit(digits: string): boolean {
  if (!/^\d{2,}$/.test(digits)) return false;
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}
