/**
 * The Swiss QR code of payment parts (SIX, Swiss Implementation Guidelines QR-bill, version 2.3, chapter 4): lines in a
 * fixed order, checked as banks check them.
 */
import { isIban } from "../../values/codes.ts";
import { type Payload, type PayloadValue, payloadOf } from "./payload.ts";
import { isCreditorReference, isQrReference } from "./payment-references.ts";

/** Line positions. An address has seven lines: kind, name, street, house number, postal code, town, country. */
const CREDITOR_LINE = 4;
const ULTIMATE_CREDITOR_LINE = 11;
const AMOUNT_LINE = 18;
const CURRENCY_LINE = 19;
const DEBTOR_LINE = 20;
const REFERENCE_TYPE_LINE = 27;
const REFERENCE_LINE = 28;
const MESSAGE_LINE = 29;
const TRAILER_LINE = 30;
const BILL_INFORMATION_LINE = 31;
const ALTERNATIVES_LINE = 32;
const MAX_LINES = 34;

const MAX_MESSAGE_CHARACTERS = 140;
const MAX_ALTERNATIVE_CHARACTERS = 100;
const MAX_AMOUNT = 999_999_999.99;
/** Institution numbers (positions 5 to 9 of the IBAN) reserved for QR references. */
const FIRST_QR_INSTITUTION = 30_000;
const LAST_QR_INSTITUTION = 31_999;

const isQrIban = (iban: string): boolean => {
  const institution = Number(iban.slice(4, 9));
  return institution >= FIRST_QR_INSTITUTION && institution <= LAST_QR_INSTITUTION;
};

/**
 * Reads a structured (S) or combined address (K: two lines with street and place); undefined when all lines are empty.
 */
function readAddress(lines: readonly string[], whose: string, faults: string[]): PayloadValue | undefined {
  const [kind = "", name = "", first = "", second = "", postalCode = "", town = "", country = ""] = lines;
  if (lines.every((line) => line === "")) return undefined;
  const parts: Record<string, string> =
    kind === "K"
      ? { name, addressLine1: first, addressLine2: second, country }
      : { name, street: first, houseNumber: second, postalCode, town, country };
  if (kind !== "S" && kind !== "K") faults.push(`The kind of the ${whose}'s address is neither S nor K`);
  if (name === "") faults.push(`The ${whose} has no name`);
  if (!/^[A-Z]{2}$/.test(country)) faults.push(`The ${whose}'s country is not a code of two letters`);
  if (kind === "S" && (postalCode === "" || town === "")) faults.push(`The ${whose} has no postal code or town`);
  if (kind === "K" && (postalCode !== "" || town !== ""))
    faults.push(`The ${whose}'s combined address has a postal code or town of its own`);
  if (kind === "K" && second === "") faults.push(`The ${whose}'s combined address has no second line`);
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ""));
}

function checkReference(type: string, reference: string, iban: string, faults: string[]): void {
  if (type === "QRR") {
    if (!isQrReference(reference)) faults.push("The QR reference's check digit is wrong, or it is not of 27 digits");
    if (!isQrIban(iban)) faults.push("A QR reference needs a QR-IBAN");
  } else if (isQrIban(iban)) {
    faults.push("A QR-IBAN needs a QR reference");
  }
  if (type === "SCOR" && !isCreditorReference(reference)) faults.push("The creditor reference fails its check");
  if (type === "NON" && reference !== "") faults.push("There is a reference where the code says that there is none");
  if (!["QRR", "SCOR", "NON"].includes(type)) faults.push("The kind of reference is not QRR, SCOR or NON");
}

function readAmount(text: string, faults: string[]): number | undefined {
  if (text === "") return undefined;
  const amount = Number(text);
  if (!/^\d{1,9}\.\d{2}$/.test(text) || amount > MAX_AMOUNT) {
    faults.push("The amount is not a number with two decimals up to 999999999.99");
    return /^\d+(?:\.\d+)?$/.test(text) ? amount : undefined;
  }
  return amount;
}

function checkHeaderAndTrailer(lines: readonly string[], faults: string[]): void {
  if (!/^02\d\d$/.test(lines[1] ?? "")) faults.push("The version is not 02.xx");
  if (lines[2] !== "1") faults.push("The character set is not UTF-8 (1)");
  if (lines.length > MAX_LINES) faults.push("There are more lines than the code may have");
  if (lines[TRAILER_LINE] !== "EPD") faults.push("The end mark EPD is missing");
}

function checkMessages(message: string, information: string, alternatives: readonly string[], faults: string[]): void {
  if (message.length + information.length > MAX_MESSAGE_CHARACTERS)
    faults.push("Message and bill information together are longer than 140 characters");
  if (alternatives.some((text) => text.length > MAX_ALTERNATIVE_CHARACTERS))
    faults.push("An alternative procedure is longer than 100 characters");
}

/** Parses a Swiss QR code; undefined for other text. Amounts are numbers. */
export function parseSwissQrBill(text: string): Payload | undefined {
  const lines = text.split(/\r?\n|\r/).map((line) => line.trim());
  // Old printers leave empty lines at the end.
  while (lines.length > TRAILER_LINE + 1 && lines.at(-1) === "") lines.pop();
  if (lines[0] !== "SPC" || lines.length < REFERENCE_TYPE_LINE) return undefined;
  const at = (index: number): string => lines[index] ?? "";
  const faults: string[] = [];
  checkHeaderAndTrailer(lines, faults);
  const iban = at(3);
  if (!isIban(iban) || !/^(?:CH|LI)/.test(iban))
    faults.push("The account is not a valid IBAN of Switzerland or Liechtenstein");
  const creditor = readAddress(lines.slice(CREDITOR_LINE, CREDITOR_LINE + 7), "creditor", faults);
  if (creditor === undefined) faults.push("There is no creditor");
  const ultimateCreditor = readAddress(
    lines.slice(ULTIMATE_CREDITOR_LINE, ULTIMATE_CREDITOR_LINE + 7),
    "final creditor",
    faults,
  );
  if (ultimateCreditor !== undefined) faults.push("The final creditor must not be used yet");
  const amount = readAmount(at(AMOUNT_LINE), faults);
  const currency = at(CURRENCY_LINE);
  if (currency !== "CHF" && currency !== "EUR") faults.push("The currency is neither CHF nor EUR");
  const debtor = readAddress(lines.slice(DEBTOR_LINE, DEBTOR_LINE + 7), "debtor", faults);
  checkReference(at(REFERENCE_TYPE_LINE), at(REFERENCE_LINE), iban, faults);
  const alternatives = lines.slice(ALTERNATIVES_LINE, MAX_LINES);
  checkMessages(at(MESSAGE_LINE), at(BILL_INFORMATION_LINE), alternatives, faults);
  const fields = {
    version: at(1),
    iban,
    creditor,
    ultimateCreditor,
    amount,
    currency,
    debtor,
    referenceType: at(REFERENCE_TYPE_LINE),
    reference: at(REFERENCE_LINE),
    message: at(MESSAGE_LINE),
    billInformation: at(BILL_INFORMATION_LINE),
    alternativeProcedure1: alternatives[0],
    alternativeProcedure2: alternatives[1],
  };
  return payloadOf("swiss-qr-bill", fields, faults);
}
