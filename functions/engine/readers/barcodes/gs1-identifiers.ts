/**
 * GS1 application identifiers: the two to four digits before a value that give its meaning (GS1 General Specifications,
 * release 24, section 3). `n` in an identifier is the number of decimals of its value.
 */

export interface ApplicationIdentifier {
  ai: string;
  /** Field name. */
  name: string;
  /** Pattern of the whole value. */
  pattern: RegExp;
  /** `key`: its last digit is a check digit. `date`: YYMMDD. */
  kind: "text" | "number" | "date" | "key";
  /** Decimals of a number. */
  decimals: number;
}

/** Characters that values may have (7.11, figure 1); the other character set is for coupons. */
const VALUE_CHARACTERS = "[!\"%&'()*+,\\-./0-9:;<=>?A-Z_a-z]";

/** Compiles a format: `N6` is six digits, `N..8` up to eight, `X..20` up to twenty characters; `+` joins parts. */
const formatPattern = (format: string): RegExp =>
  new RegExp(
    `^${format
      .split("+")
      .map((part) => {
        const [, set, upTo, count] = /^([NX])(\.\.)?(\d+)$/.exec(part) ?? [];
        return `${set === "N" ? "\\d" : VALUE_CHARACTERS}{${upTo === undefined ? "" : "1,"}${count}}`;
      })
      .join("")}$`,
  );

/**
 * Digits of the value after identifiers with these first two digits. Such values have no separator behind them (7.8.5).
 */
const PREDEFINED_LENGTHS: Record<string, number> = {
  "00": 18,
  "01": 14,
  "02": 14,
  "03": 14,
  "04": 16,
  "11": 6,
  "12": 6,
  "13": 6,
  "14": 6,
  "15": 6,
  "16": 6,
  "17": 6,
  "18": 6,
  "19": 6,
  "20": 2,
  "31": 6,
  "32": 6,
  "33": 6,
  "34": 6,
  "35": 6,
  "36": 6,
  "41": 13,
};

/** Length of the value after an identifier; undefined where a separator ends it. */
export const predefinedLength = (ai: string): number | undefined => PREDEFINED_LENGTHS[ai.slice(0, 2)];

/** Identifier, format, name. `@` before a name marks dates, `#` keys with a check digit. */
const PLAIN_IDENTIFIERS = `
00 N18 #sscc|01 N14 #gtin|02 N14 #contentGtin|03 N14 #madeToOrderGtin
10 X..20 batch|11 N6 @productionDate|12 N6 @dueDate|13 N6 @packagingDate|15 N6 @bestBeforeDate|16 N6 @sellByDate
17 N6 @expirationDate|20 N2 variant|21 X..20 serialNumber|22 X..20 consumerVariant|235 X..28 thirdPartySerial
240 X..30 additionalId|241 X..30 customerPartNumber|242 N..6 madeToOrderVariation|243 X..20 packagingComponent
250 X..30 secondarySerial|251 X..30 sourceReference|253 N13+X..17 documentTypeId|254 X..20 locationExtension
255 N13+N..12 couponNumber|30 N..8 variableCount|37 N..8 count|400 X..30 orderNumber|401 X..30 consignmentNumber
402 N17 #shipmentNumber|403 X..30 routingCode|410 N13 #shipToLocation|411 N13 #billToLocation|412 N13 #purchasedFromLocation
413 N13 #shipForLocation|414 N13 #locationNumber|415 N13 #payToLocation|416 N13 #productionLocation|417 N13 #partyNumber
420 X..20 shipToPostalCode|421 N3+X..9 shipToCountryPostalCode|422 N3 originCountry|423 N3+N..12 initialCountries
424 N3 processingCountry|425 N3+N..12 disassemblyCountries|426 N3 processCountry|427 X..3 originSubdivision
4300 X..35 shipToCompany|4301 X..35 shipToName|4302 X..70 shipToAddress1|4303 X..70 shipToAddress2|4304 X..70 shipToSuburb
4305 X..70 shipToTown|4306 X..70 shipToRegion|4307 X2 shipToCountry|4308 X..30 shipToPhone|4309 N20 shipToPlace
4310 X..35 returnToCompany|4311 X..35 returnToName|4312 X..70 returnToAddress1|4313 X..70 returnToAddress2
4314 X..70 returnToSuburb|4315 X..70 returnToTown|4316 X..70 returnToRegion|4317 X2 returnToCountry
4318 X..20 returnToPostalCode|4319 X..30 returnToPhone|4320 X..35 serviceDescription|4321 N1 dangerousGoods
4322 N1 authorityToLeave|4323 N1 signatureRequired|4324 N10 notBefore|4325 N10 notAfter|4326 N6 @releaseDate
7001 N13 natoStockNumber|7002 X..30 meatCut|7003 N10 expirationTime|7004 N..4 activePotency|7005 X..12 catchArea
7006 N6 @firstFreezeDate|7007 N6+N..6 harvestDate|7008 X..3 aquaticSpecies|7009 X..10 fishingGear|7010 X..2 productionMethod
7011 N6+N..4 testByDate|7020 X..20 refurbishmentLot|7021 X..20 functionalStatus|7022 X..20 revisionStatus|7023 X..30 assemblyId
7040 N1+X3 uniqueIdIndex|710 X..20 germanReimbursementNumber|711 X..20 frenchReimbursementNumber
712 X..20 spanishReimbursementNumber|713 X..20 brazilianReimbursementNumber|714 X..20 portugueseReimbursementNumber
715 X..20 usReimbursementNumber|716 X..20 italianReimbursementNumber|7240 X..20 protocolId
8001 N14 rollDimensions|8002 X..20 phoneSerial|8003 N14+X..16 returnableAssetId|8004 X..30 individualAssetId
8005 N6 unitPrice|8006 N14+N4 pieceOfTradeItem|8007 X..34 iban|8008 N8+N..4 productionTime|8009 X..50 sensorId
8010 X..30 componentId|8011 N..12 componentSerial|8012 X..20 softwareVersion|8013 X..25 modelNumber
8017 N18 #providerRelation|8018 N18 #recipientRelation|8019 N..10 serviceInstance|8020 X..25 paymentReference
8026 N14+N4 contentPiece|8030 X..90 digitalSignature|8110 X..70 coupon|8111 N4 loyaltyPoints|8112 X..70 paperlessCoupon
8200 X..70 url|90 X..30 agreedInformation`;

/**
 * Measures: the first three digits of the identifier and the name with its unit. The fourth digit is the number of
 * decimals.
 */
const MEASURE_IDENTIFIERS = `
310 netWeightKg|311 lengthM|312 widthM|313 heightM|314 areaM2|315 netVolumeL|316 netVolumeM3|320 netWeightLb|321 lengthIn
322 lengthFt|323 lengthYd|324 widthIn|325 widthFt|326 widthYd|327 heightIn|328 heightFt|329 heightYd|330 grossWeightKg
331 logisticLengthM|332 logisticWidthM|333 logisticHeightM|334 logisticAreaM2|335 logisticVolumeL|336 logisticVolumeM3
337 weightPerAreaKg|340 grossWeightLb|341 logisticLengthIn|342 logisticLengthFt|343 logisticLengthYd|344 logisticWidthIn
345 logisticWidthFt|346 logisticWidthYd|347 logisticHeightIn|348 logisticHeightFt|349 logisticHeightYd|350 areaIn2
351 areaFt2|352 areaYd2|353 logisticAreaIn2|354 logisticAreaFt2|355 logisticAreaYd2|356 netWeightOz|357 netVolumeOz
360 netVolumeQt|361 netVolumeGal|362 logisticVolumeQt|363 logisticVolumeGal|364 netVolumeIn3|365 netVolumeFt3
366 netVolumeYd3|367 logisticVolumeIn3|368 logisticVolumeFt3|369 logisticVolumeYd3`;

/** Prices: like measures, with a variable number of digits, some after a currency's three digits. */
const PRICE_IDENTIFIERS: readonly [string, string, string][] = [
  ["390", "N..15", "amountPayable"],
  ["391", "N3+N..15", "amountPayableWithCurrency"],
  ["392", "N..15", "price"],
  ["393", "N3+N..15", "priceWithCurrency"],
  ["394", "N4", "couponPercentOff"],
  ["395", "N6", "pricePerUnit"],
];

const listEntries = (list: string): string[] => list.trim().split(/[|\n]/);
const KIND_BY_MARK: Record<string, ApplicationIdentifier["kind"]> = { "#": "key", "@": "date" };

function identifierTable(): Map<string, ApplicationIdentifier> {
  const table = new Map<string, ApplicationIdentifier>();
  const add = (ai: string, format: string, name: string, kind: ApplicationIdentifier["kind"], decimals = 0): void => {
    table.set(ai, { ai, name, pattern: formatPattern(format), kind, decimals });
  };
  for (const entry of listEntries(PLAIN_IDENTIFIERS)) {
    const [ai = "", format = "", marked = ""] = entry.split(" ");
    const kind = KIND_BY_MARK[marked.charAt(0)];
    add(ai, format, kind === undefined ? marked : marked.slice(1), kind ?? "text");
  }
  for (let decimals = 0; decimals <= 9; decimals += 1) {
    for (const entry of decimals <= 5 ? listEntries(MEASURE_IDENTIFIERS) : []) {
      const [start = "", name = ""] = entry.split(" ");
      add(`${start}${decimals}`, "N6", name, "number", decimals);
    }
    for (const [start, format, name] of PRICE_IDENTIFIERS) add(`${start}${decimals}`, format, name, "number", decimals);
    add(`703${decimals}`, "N3+X..27", `processor${decimals}`, "text");
    add(`723${decimals}`, "X2+X..28", `certification${decimals}`, "text");
    if (decimals > 0) add(`9${decimals}`, "X..90", `companyInformation${decimals}`, "text");
  }
  return table;
}

const IDENTIFIERS = identifierTable();

/** The identifier at the start of a text: two, three or four digits. */
export function identifierAt(text: string): ApplicationIdentifier | undefined {
  for (const length of [2, 3, 4]) {
    const found = IDENTIFIERS.get(text.slice(0, length));
    if (found !== undefined) return found;
  }
  return undefined;
}

export const identifierOf = (ai: string): ApplicationIdentifier | undefined => IDENTIFIERS.get(ai);
