import { describe, expect, it } from "vitest";
import { parseCurrency } from "../../../../../functions/engine/values/currencies.ts";
import { scanDates } from "../../../../../functions/engine/values/dates.ts";
import { labelKey } from "../../../../../functions/engine/values/label-words.ts";
import { hasLegalForm } from "../../../../../functions/engine/values/party-names.ts";
import { DOCUMENT_LABELS } from "../../../../../functions/engine/values/vocabulary/vocabulary.ts";

const CONCEPTS = ["invoice-number", "issue-date", "due-date", "net-total", "tax-total", "gross-total", "buyer"];

/** Labels of a bill in the order of the concepts. */
const BILLS: [string, string[]][] = [
  [
    "hu",
    ["Számla sorszáma", "Számla kelte", "Fizetési határidő", "Nettó összesen", "Áfa összesen", "Végösszeg", "Vevő"],
  ],
  ["tr", ["Fatura No", "Fatura Tarihi", "Vade Tarihi", "Ara Toplam", "Hesaplanan KDV", "GENEL TOPLAM", "SAYIN"]],
  ["cs", ["Faktura č.", "Datum vystavení", "Datum splatnosti", "Základ daně", "Výše DPH", "Celkem s DPH", "Odběratel"]],
  ["sk", ["Faktúra číslo", "Dátum vystavenia", "Splatnosť", "Základ dane", "DPH spolu", "Spolu s DPH", "Odberateľ"]],
  ["lt", ["Sąskaitos nr.", "Išrašymo data", "Apmokėti iki", "Suma be PVM", "PVM suma", "Bendra suma", "Pirkėjas"]],
  ["lv", ["Rēķina Nr.", "Rēķina datums", "Apmaksas termiņš", "Summa bez PVN", "PVN summa", "Kopsumma", "Pircējs"]],
  [
    "el",
    ["ΑΡ. ΤΙΜΟΛΟΓΙΟΥ", "Ημερομηνία έκδοσης", "Πληρωτέο έως", "ΚΑΘΑΡΗ ΑΞΙΑ", "Ποσό ΦΠΑ", "ΓΕΝΙΚΟ ΣΥΝΟΛΟ", "ΠΕΛΑΤΗΣ"],
  ],
  [
    "fi",
    ["Laskun numero", "Laskun päivämäärä", "Eräpäivä", "Veroton yhteensä", "ALV yhteensä", "Loppusumma", "Asiakas"],
  ],
  ["et", ["Arve number", "Arve kuupäev", "Maksetähtaeg", "Kokku käibemaksuta", "Käibemaks", "Arve summa", "Ostja"]],
  ["hr", ["Račun br.", "Datum izdavanja", "Datum dospijeća", "Osnovica", "Iznos PDV-a", "Sveukupno", "Kupac"]],
  [
    "bg",
    ["Фактура №", "Дата на издаване", "Срок за плащане", "Данъчна основа", "Начислен ДДС", "Обща сума", "Получател"],
  ],
  ["uk", ["Рахунок №", "Дата рахунку", "Сплатити до", "Сума без ПДВ", "Сума ПДВ", "Всього з ПДВ", "Покупець"]],
  ["id", ["Nomor Faktur", "Tanggal Faktur", "Jatuh Tempo", "DPP", "PPN", "Total Bayar", "Pembeli"]],
  ["vi", ["Số hóa đơn", "Ngày lập", "Hạn thanh toán", "Tạm tính", "Tiền thuế GTGT", "Tổng cộng", "Khách hàng"]],
  ["zh", ["請款單編號", "開立日期", "付款截止日", "未稅金額", "營業稅", "總金額", "客戶"]],
  ["ja", ["請求書番号", "請求日", "お支払期限", "小計", "消費税", "合計金額", "购买方"]],
];

describe("the neighbours' files", () => {
  it.each(BILLS)("name the parts of a bill: %s", (_, labels) => {
    const found = labels.map((label, at) =>
      DOCUMENT_LABELS.meaningsOf(labelKey(label)).some(({ concept }) => concept === CONCEPTS[at]),
    );
    expect(labels.filter((__, at) => !found[at])).toEqual([]);
  });

  it.each([
    ["2008. 10. 17.", "2008-10-17"],
    ["2024. január 5.", "2024-01-05"],
    ["5 Ağustos 2023", "2023-08-05"],
    ["12. března 2024", "2024-03-12"],
    ["2024年3月5日", "2024-03-05"],
    ["3 Ιανουαρίου 2024", "2024-01-03"],
  ])("write dates: %s", (text, iso) => {
    expect(scanDates(text, "day-first").map((span) => span.iso)).toEqual([iso]);
  });

  it("write legal forms and currencies", () => {
    for (const name of ["Minta Zrt.", "ÖRNEK A.Ş.", "Alfa s.r.o.", "UAB Saulė", "Näide OÜ"])
      expect(hasLegalForm(name), name).toBe(true);
    expect(parseCurrency("TL", new Set())).toBe("TRY");
  });
});
