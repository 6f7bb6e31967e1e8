import { grid, type Sample } from "./sample.ts";

/** Letters in the German manner: sender line above the window, details at the right, totals under the items. */
export const GERMAN: Sample[] = [
  {
    name: "de-handwerk",
    draw(page) {
      page.text(1, 0.6, "Dachdeckerei Hollmann GmbH", { size: 16, bold: true });
      page.text(1, 1.8, "Dachdeckerei Hollmann GmbH · Lindenweg 4 · 49074 Osnabrück", { size: 7 });
      page.lines(1, 2.0, ["Frau", "Petra Sandkamp", "Am Kanal 17", "49090 Osnabrück"]);
      grid(
        page,
        2.0,
        [5.2, 6.7],
        [
          ["Rechnungsnr.:", "2024-0817"],
          ["Kundennr.:", "10455"],
          ["Datum:", "12.06.2024"],
          ["Leistungsdatum:", "03.06.2024"],
        ],
      );
      page.text(1, 4, "Rechnung", { size: 14, bold: true });
      grid(
        page,
        4.6,
        [1, 1.5, -5.2, -6.2, -7.4],
        [
          ["Pos.", "Bezeichnung", "Menge", "Einzelpreis", "Gesamtpreis"],
          ["1", "Dachziegel austauschen", "12", "18,50 €", "222,00 €"],
          ["2", "Arbeitsstunden", "6,5", "54,00 €", "351,00 €"],
        ],
      );
      grid(
        page,
        5.6,
        [5, -7.4],
        [
          ["Nettobetrag", "573,00 €"],
          ["zzgl. 19% MwSt.", "108,87 €"],
          ["Gesamtbetrag", "681,87 €"],
        ],
      );
      page.text(1, 6.6, "Zahlbar bis 26.06.2024 ohne Abzug.");
      page.text(1, 10.8, "Sparkasse Osnabrück IBAN: DE89 3704 0044 0532 0130 00 USt-IdNr.: DE811223344", { size: 7 });
    },
    expected: {
      invoice_number: "2024-0817",
      issue_date: "2024-06-12",
      due_date: "2024-06-26",
      seller: "Dachdeckerei Hollmann GmbH",
      buyer: "Petra Sandkamp",
      currency: "EUR",
      net_total: 573,
      tax_total: 108.87,
      gross_total: 681.87,
      amount_due: 681.87,
    },
  },
  {
    name: "de-agentur-zwei-saetze",
    draw(page) {
      page.text(5.4, 0.5, "Nordlicht Medien KG", { size: 12, bold: true });
      page.lines(5.4, 0.75, ["Hafenstraße 88", "24103 Kiel", "www.nordlicht-medien.de"], { size: 8 });
      page.text(1, 1.7, "Nordlicht Medien KG, Hafenstraße 88, 24103 Kiel", { size: 7 });
      page.lines(1, 1.95, ["Buchhandlung Wellenkamp OHG", "Marktplatz 3", "23552 Lübeck"]);
      page.text(1, 3.4, "Rechnung Nr. NM/2023/114", { size: 13, bold: true });
      page.text(5.4, 3.4, "Kiel, den 4. Oktober 2023");
      grid(
        page,
        4,
        [1, -5.5, -6.4, -7.4],
        [
          ["Leistung", "Anzahl", "Einzelpreis", "Betrag EUR"],
          ["Plakatgestaltung", "1", "840,00", "840,00"],
          ["Fachbuch Typografie", "10", "29,90", "299,00"],
        ],
      );
      grid(
        page,
        5,
        [4.6, -7.4],
        [
          ["Summe netto", "1.139,00"],
          ["USt. 19 % auf 840,00", "159,60"],
          ["USt. 7 % auf 299,00", "20,93"],
          ["Rechnungsbetrag", "1.319,53"],
        ],
      );
      page.text(1, 6.4, "Bitte überweisen Sie den Betrag bis zum 18.10.2023 auf unser Konto.");
    },
    expected: {
      invoice_number: "NM/2023/114",
      issue_date: "2023-10-04",
      due_date: "2023-10-18",
      seller: "Nordlicht Medien KG",
      buyer: "Buchhandlung Wellenkamp OHG",
      currency: "EUR",
      net_total: 1139,
      tax_total: 180.53,
      gross_total: 1319.53,
      amount_due: 1319.53,
    },
  },
  {
    name: "at-berater-anzahlung",
    draw(page) {
      page.lines(1, 0.6, [
        "Mag. Ulrike Fenzl",
        "Unternehmensberatung",
        "Mariahilfer Straße 210",
        "1150 Wien",
        "UID: ATU12345675",
      ]);
      page.text(5, 1, "HONORARNOTE", { size: 16, bold: true });
      page.lines(1, 2.3, ["Firma", "Tischlerei Brandauer e.U.", "Dorfstraße 9", "4810 Gmunden"]);
      grid(
        page,
        2.3,
        [5, -7.4],
        [
          ["Honorarnote Nr.", "H-77"],
          ["Datum", "15. Jänner 2024"],
          ["Fällig am", "29.01.2024"],
        ],
      );
      grid(
        page,
        4.2,
        [1, -7.4],
        [
          ["Beratung Dezember 2023", "EUR 2.400,00"],
          ["Umsatzsteuer 20 %", "EUR 480,00"],
          ["Gesamtsumme", "EUR 2.880,00"],
          ["abzüglich Anzahlung", "EUR -1.000,00"],
          ["Zahlbetrag", "EUR 1.880,00"],
        ],
      );
    },
    expected: {
      invoice_number: "H-77",
      issue_date: "2024-01-15",
      due_date: "2024-01-29",
      seller: "Mag. Ulrike Fenzl",
      buyer: "Tischlerei Brandauer e.U.",
      currency: "EUR",
      net_total: 2400,
      tax_total: 480,
      gross_total: 2880,
      amount_due: 1880,
    },
  },
  {
    name: "ch-schreinerei",
    draw(page) {
      page.text(1, 0.6, "Holzwerk Zürcher AG", { size: 15, bold: true });
      page.lines(1, 0.9, ["Seestrasse 12", "8800 Thalwil", "info@holzwerk-zuercher.ch", "CHE-123.456.788 MWST"], {
        size: 8,
      });
      page.lines(5, 2, ["Kita Sonnenschein", "Rosenweg 5", "8810 Horgen"]);
      page.text(1, 3.3, "Rechnung 45120", { size: 14, bold: true });
      page.text(1, 3.7, "Rechnungsdatum 03.05.2024");
      page.text(1, 3.95, "Zahlbar innert 30 Tagen, fällig am 02.06.2024");
      grid(
        page,
        4.5,
        [1, -5, -6.2, -7.4],
        [
          ["Artikel", "Stück", "Preis", "Total CHF"],
          ["Garderobe Eiche", "4", "310.00", "1'240.00"],
          ["Montage", "3", "95.00", "285.00"],
        ],
      );
      grid(
        page,
        5.6,
        [5, -7.4],
        [
          ["Zwischentotal", "1'525.00"],
          ["MWST 8.1%", "123.55"],
          ["Total CHF inkl. MWST", "1'648.55"],
        ],
      );
    },
    expected: {
      invoice_number: "45120",
      issue_date: "2024-05-03",
      due_date: "2024-06-02",
      seller: "Holzwerk Zürcher AG",
      buyer: "Kita Sonnenschein",
      currency: "CHF",
      net_total: 1525,
      tax_total: 123.55,
      gross_total: 1648.55,
      amount_due: 1648.55,
    },
  },
  {
    name: "de-kleinunternehmerin",
    draw(page) {
      page.text(1, 0.7, "Jana Ritter – Fotografie", { size: 15 });
      page.lines(1, 1, ["Talweg 2, 01067 Dresden", "Steuernummer: 203/123/45678", "jana@ritterfoto.example"], {
        size: 8,
      });
      page.text(1, 2, "RECHNUNG", { size: 18, bold: true });
      grid(
        page,
        2.5,
        [1, 3],
        [
          ["Rechnungsempfänger:", "Lukas Ahrendt"],
          ["", "Bergstraße 40"],
          ["", "01069 Dresden"],
          ["Rechnungsnummer:", "R24-007"],
          ["Rechnungsdatum:", "1. März 2024"],
          ["Zahlungsziel:", "15.03.2024"],
        ],
      );
      grid(
        page,
        4.4,
        [1, -7.4],
        [
          ["Beschreibung", "Betrag"],
          ["Hochzeitsreportage, 8 Stunden", "1.450,00 €"],
          ["Gesamtbetrag", "1.450,00 €"],
        ],
      );
      page.text(1, 5.4, "Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.");
    },
    expected: {
      invoice_number: "R24-007",
      issue_date: "2024-03-01",
      due_date: "2024-03-15",
      buyer: "Lukas Ahrendt",
      currency: "EUR",
      net_total: 1450,
      tax_total: 0,
      gross_total: 1450,
      amount_due: 1450,
    },
  },
];
