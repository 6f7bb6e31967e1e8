import { grid, type Sample } from "./sample.ts";

/** Dutch, and layouts that are unlike the rest: bilingual, two pages, columns without lines, scanned. */
export const OTHERS: Sample[] = [
  {
    name: "nl-fietswinkel",
    draw(page) {
      page.text(1, 0.6, "Fietspunt Utrecht B.V.", { size: 14, bold: true });
      page.lines(5.2, 0.6, ["Voorstraat 61", "3512 AK Utrecht", "KvK 30123456", "BTW-nummer NL123456782B01"], {
        size: 8,
      });
      page.lines(1, 1.8, ["Factuuradres", "Dhr. M. van den Berg", "Oudegracht 200", "3511 NR Utrecht"]);
      grid(
        page,
        1.8,
        [5.2, 6.6],
        [
          ["Factuurnummer", "20240566"],
          ["Factuurdatum", "14-05-2024"],
          ["Vervaldatum", "28-05-2024"],
        ],
      );
      grid(
        page,
        3.4,
        [1, -5, -6.2, -7.4],
        [
          ["Omschrijving", "Aantal", "Prijs", "Bedrag"],
          ["Stadsfiets 7 versnellingen", "1", "€ 649,00", "€ 649,00"],
          ["Kettingslot", "1", "€ 59,00", "€ 59,00"],
        ],
      );
      grid(
        page,
        4.6,
        [5, -7.4],
        [
          ["Totaal excl. btw", "€ 585,12"],
          ["Btw 21%", "€ 122,88"],
          ["Totaal incl. btw", "€ 708,00"],
        ],
      );
    },
    expected: {
      invoice_number: "20240566",
      issue_date: "2024-05-14",
      due_date: "2024-05-28",
      seller: "Fietspunt Utrecht B.V.",
      buyer: "M. van den Berg",
      currency: "EUR",
      net_total: 585.12,
      tax_total: 122.88,
      gross_total: 708,
      amount_due: 708,
    },
  },
  {
    name: "nl-zzp",
    draw(page) {
      page.text(1, 0.6, "Factuur", { size: 20 });
      page.lines(1, 1.2, ["Van:", "Tekstbureau Sanne Kuipers", "Dorpsstraat 5", "9712 AB Groningen"]);
      page.lines(4.5, 1.2, ["Aan:", "Uitgeverij De Zwaluw BV", "Postbus 112", "8000 AC Zwolle"]);
      page.lines(1, 2.4, ["Factuurnummer: 2023-31", "Datum: 2 november 2023", "Te betalen vóór: 16 november 2023"]);
      grid(
        page,
        3.5,
        [1, -7.4],
        [
          ["Redactie jaarverslag, 22 uur", "€ 1.540,00"],
          ["Subtotaal", "€ 1.540,00"],
          ["21% btw", "€ 323,40"],
          ["Totaal te betalen", "€ 1.863,40"],
        ],
      );
    },
    expected: {
      invoice_number: "2023-31",
      issue_date: "2023-11-02",
      due_date: "2023-11-16",
      seller: "Tekstbureau Sanne Kuipers",
      buyer: "Uitgeverij De Zwaluw BV",
      currency: "EUR",
      net_total: 1540,
      tax_total: 323.4,
      gross_total: 1863.4,
      amount_due: 1863.4,
    },
  },
  {
    name: "bilingual-two-pages",
    draw(page) {
      page.text(1, 0.6, "Alpenglas SA", { size: 14, bold: true });
      page.lines(1, 0.9, ["Route de Berne 40", "1700 Fribourg"], { size: 9 });
      page.lines(1, 2, [
        "Rechnungsadresse / Adresse de facturation",
        "Glashaus Meier GmbH",
        "Bahnhofstrasse 2",
        "3930 Visp",
      ]);
      grid(
        page,
        2,
        [5, -7.6],
        [
          ["Rechnung Nr. / Facture n°", "880412"],
          ["Datum / Date", "07.11.2023"],
          ["Fällig am / Échéance", "07.12.2023"],
        ],
        0.22,
        8,
      );
      grid(
        page,
        4,
        [1, -5, -6.2, -7.4],
        [
          ["Bezeichnung / Désignation", "Menge", "Preis", "Betrag"],
          ["Isolierglas 80x120", "14", "96.00", "1'344.00"],
          ["Übertrag / Report", "", "", "1'344.00"],
        ],
      );
      page.newPage();
      grid(
        page,
        1,
        [5, -7.4],
        [
          ["Total netto / Total net CHF", "1'344.00"],
          ["MWST / TVA 7.7%", "103.50"],
          ["Total brutto CHF", "1'447.50"],
        ],
      );
    },
    expected: {
      invoice_number: "880412",
      issue_date: "2023-11-07",
      due_date: "2023-12-07",
      seller: "Alpenglas SA",
      buyer: "Glashaus Meier GmbH",
      currency: "CHF",
      net_total: 1344,
      tax_total: 103.5,
      gross_total: 1447.5,
      amount_due: 1447.5,
    },
  },
  {
    name: "scanned-labels-below",
    draw(page) {
      const faint = { confidence: 0.87, size: 10 };
      page.text(1, 0.6, "Harrow & Finch Solicitors LLP", { ...faint, size: 14 });
      page.text(1, 0.9, "9 Castle Street, Bristol BS1 3LH", faint);
      page.text(1, 2, "Client", faint);
      page.text(1, 2.2, "Meridian Homes Limited", faint);
      page.text(4, 2, "Invoice Ref", faint);
      page.text(4, 2.2, "HF/7730", faint);
      page.text(6, 2, "Invoice date", faint);
      page.text(6, 2.2, "19 April 2022", faint);
      page.text(1, 3.2, "Conveyancing fees", faint);
      page.text(7.4, 3.2, "£1,250.00", { ...faint, align: "right" });
      page.text(5, 3.8, "Total before VAT", faint);
      page.text(7.4, 3.8, "£1,250.00", { ...faint, align: "right" });
      page.text(5, 4.05, "VAT at 20%", faint);
      page.text(7.4, 4.05, "£250.00", { ...faint, align: "right" });
      page.text(5, 4.3, "Total amount payable", faint);
      page.text(7.4, 4.3, "£1,500.00", { ...faint, align: "right" });
    },
    expected: {
      invoice_number: "HF/7730",
      issue_date: "2022-04-19",
      seller: "Harrow & Finch Solicitors LLP",
      buyer: "Meridian Homes Limited",
      currency: "GBP",
      net_total: 1250,
      tax_total: 250,
      gross_total: 1500,
      amount_due: 1500,
    },
  },
  {
    name: "en-credit-note-negative",
    draw(page) {
      page.text(1, 0.6, "Kestrel Office Supplies Ltd", { size: 13, bold: true });
      page.text(1, 0.85, "Unit 4, Park Road, Reading RG1 2AB, VAT Reg No GB 987 6543 21", { size: 8 });
      page.text(1, 1.5, "CREDIT NOTE", { size: 15 });
      page.lines(1, 2, ["Credit note no.: CN-0058", "Credit note date: 09/10/2023", "Original invoice: INV-4410"]);
      page.lines(5, 2, ["Customer:", "Bramley Primary School", "School Lane", "Reading RG6 1QQ"]);
      grid(
        page,
        3.6,
        [5, -7.4],
        [
          ["Subtotal", "-£80.00"],
          ["VAT 20%", "-£16.00"],
          ["Total", "-£96.00"],
        ],
      );
    },
    expected: {
      invoice_number: "CN-0058",
      issue_date: "2023-10-09",
      seller: "Kestrel Office Supplies Ltd",
      buyer: "Bramley Primary School",
      currency: "GBP",
      net_total: -80,
      tax_total: -16,
      gross_total: -96,
    },
  },
];
