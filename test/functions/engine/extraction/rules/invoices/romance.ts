import { grid, type Sample } from "./sample.ts";

/** French, Spanish, Italian. */
export const ROMANCE: Sample[] = [
  {
    name: "fr-imprimerie",
    draw(page) {
      page.text(1, 0.6, "Imprimerie du Vieux Port SARL", { size: 14, bold: true });
      page.lines(
        1,
        0.9,
        ["6 quai des Belges", "13001 Marseille", "SIRET 732 829 320 00074", "N° TVA : FR40 303 265 045"],
        { size: 8 },
      );
      page.text(5, 0.6, "FACTURE N° 2024-118", { size: 13, bold: true });
      page.text(5, 0.9, "Date : 08/02/2024");
      page.text(5, 1.1, "Échéance : 09/03/2024");
      page.lines(5, 1.9, ["Facturé à :", "Galerie Mistral", "22 rue Paradis", "13006 Marseille"]);
      grid(
        page,
        3.6,
        [1, -5, -6.2, -7.4],
        [
          ["Désignation", "Qté", "P.U. HT", "Total HT"],
          ["Affiches A2", "200", "1,15 €", "230,00 €"],
          ["Cartons d'invitation", "500", "0,42 €", "210,00 €"],
        ],
      );
      grid(
        page,
        4.8,
        [5, -7.4],
        [
          ["Total HT", "440,00 €"],
          ["TVA 20 %", "88,00 €"],
          ["Total TTC", "528,00 €"],
          ["Net à payer", "528,00 €"],
        ],
      );
    },
    expected: {
      invoice_number: "2024-118",
      issue_date: "2024-02-08",
      due_date: "2024-03-09",
      seller: "Imprimerie du Vieux Port SARL",
      buyer: "Galerie Mistral",
      currency: "EUR",
      net_total: 440,
      tax_total: 88,
      gross_total: 528,
      amount_due: 528,
    },
  },
  {
    name: "fr-traiteur-acompte",
    draw(page) {
      page.text(1, 0.5, "Maison Lacombe Traiteur", { size: 16 });
      page.text(1, 0.8, "3 place de la Halle – 33000 Bordeaux – contact@maisonlacombe.example", { size: 8 });
      grid(
        page,
        1.6,
        [1, 3],
        [
          ["Numéro de facture", "FA0342"],
          ["Date d'émission", "17 septembre 2023"],
          ["Date d'échéance", "17 octobre 2023"],
          ["Client", "Comité des Fêtes de Cadillac"],
        ],
      );
      grid(
        page,
        3,
        [1, -7.4],
        [
          ["Description", "Montant"],
          ["Buffet 120 personnes", "3 600,00 €"],
        ],
      );
      grid(
        page,
        4,
        [4.6, -7.4],
        [
          ["Sous-total HT", "3 272,73 €"],
          ["TVA (10%)", "327,27 €"],
          ["Total TTC", "3 600,00 €"],
          ["Acompte versé", "1 000,00 €"],
          ["Reste à payer", "2 600,00 €"],
        ],
      );
    },
    expected: {
      invoice_number: "FA0342",
      issue_date: "2023-09-17",
      due_date: "2023-10-17",
      seller: "Maison Lacombe Traiteur",
      buyer: "Comité des Fêtes de Cadillac",
      currency: "EUR",
      net_total: 3272.73,
      tax_total: 327.27,
      gross_total: 3600,
      amount_due: 2600,
    },
  },
  {
    name: "es-taller",
    draw(page) {
      page.text(1, 0.6, "Talleres Montseny S.L.", { size: 14, bold: true });
      page.lines(1, 0.9, ["Calle Industria 45", "08430 La Roca", "NIF: B12345674"], { size: 9 });
      page.text(6, 0.6, "FACTURA", { size: 16 });
      page.lines(5, 1.2, ["Factura nº: A/231", "Fecha: 5 de mayo de 2023", "Vencimiento: 04/06/2023"]);
      page.lines(1, 2, ["Cliente:", "Transportes Ibáñez S.A.", "Avda. del Puerto 9", "46021 Valencia"]);
      grid(
        page,
        3.6,
        [1, -5, -6.2, -7.4],
        [
          ["Concepto", "Cantidad", "Precio", "Importe"],
          ["Revisión anual", "1", "180,00", "180,00"],
          ["Aceite", "8", "12,50", "100,00"],
        ],
      );
      grid(
        page,
        4.8,
        [5, -7.4],
        [
          ["Base imponible", "280,00 €"],
          ["IVA 21%", "58,80 €"],
          ["TOTAL", "338,80 €"],
        ],
      );
    },
    expected: {
      invoice_number: "A/231",
      issue_date: "2023-05-05",
      due_date: "2023-06-04",
      seller: "Talleres Montseny S.L.",
      buyer: "Transportes Ibáñez S.A.",
      currency: "EUR",
      net_total: 280,
      tax_total: 58.8,
      gross_total: 338.8,
      amount_due: 338.8,
    },
  },
  {
    name: "es-consultora-totales-en-fila",
    draw(page) {
      page.lines(1, 0.6, ["Emisor", "Consultora Alarcón y Vega SLU", "Paseo de la Habana 20", "28036 Madrid"]);
      page.lines(5, 0.6, ["Facturar a", "Ayuntamiento de Soria", "Plaza Mayor 8", "42002 Soria"]);
      grid(
        page,
        2,
        [1, 3, 5],
        [
          ["Número de factura", "Fecha de emisión", "Fecha de vencimiento"],
          ["2023/0091", "11/12/2023", "10/01/2024"],
        ],
      );
      page.text(1, 3, "Informe de eficiencia energética");
      grid(
        page,
        4,
        [1, 3, 4.6, 6.2],
        [
          ["Base imponible", "% IVA", "Cuota IVA", "Total factura"],
          ["2.150,00 €", "21,00", "451,50 €", "2.601,50 €"],
        ],
      );
    },
    expected: {
      invoice_number: "2023/0091",
      issue_date: "2023-12-11",
      due_date: "2024-01-10",
      seller: "Consultora Alarcón y Vega SLU",
      buyer: "Ayuntamiento de Soria",
      currency: "EUR",
      net_total: 2150,
      tax_total: 451.5,
      gross_total: 2601.5,
      amount_due: 2601.5,
    },
  },
  {
    name: "it-vivaio",
    draw(page) {
      page.text(1, 0.6, "Vivai Bellandi S.r.l.", { size: 15, bold: true });
      page.lines(1, 0.9, ["Via dei Cipressi 31", "51100 Pistoia", "P.IVA 01234560476"], { size: 8 });
      page.lines(5, 1.6, ["Spett.le", "Comune di Lucca", "Piazza Napoleone 1", "55100 Lucca"]);
      grid(
        page,
        3,
        [1, 2.6],
        [
          ["Fattura n.", "76/2024"],
          ["Data fattura", "22/04/2024"],
          ["Scadenza", "22/05/2024"],
        ],
      );
      grid(
        page,
        4,
        [1, -5, -6.2, -7.4],
        [
          ["Descrizione", "Q.tà", "Prezzo", "Importo"],
          ["Cipresso 150 cm", "20", "38,00", "760,00"],
        ],
      );
      grid(
        page,
        5,
        [5, -7.4],
        [
          ["Imponibile", "€ 760,00"],
          ["IVA 22%", "€ 167,20"],
          ["Totale fattura", "€ 927,20"],
        ],
      );
    },
    expected: {
      invoice_number: "76/2024",
      issue_date: "2024-04-22",
      due_date: "2024-05-22",
      seller: "Vivai Bellandi S.r.l.",
      buyer: "Comune di Lucca",
      currency: "EUR",
      net_total: 760,
      tax_total: 167.2,
      gross_total: 927.2,
      amount_due: 927.2,
    },
  },
  {
    name: "it-professionista",
    draw(page) {
      page.lines(1, 0.5, ["Arch. Chiara Montale", "Corso Torino 18", "16129 Genova", "C.F. MNTCHR80A41D969X"], {
        size: 9,
      });
      page.text(1, 1.6, "FATTURA 12 del 30 gennaio 2024", { size: 14, bold: true });
      page.lines(1, 2.2, ["Cliente: Condominio Via Assarotti 7", "Pagamento entro: 29/02/2024"]);
      grid(
        page,
        3.2,
        [1, -7.4],
        [
          ["Progetto rifacimento facciata", "3.500,00 €"],
          ["Totale imponibile", "3.500,00 €"],
          ["IVA 22%", "770,00 €"],
          ["Totale da pagare", "4.270,00 €"],
        ],
      );
    },
    expected: {
      invoice_number: "12",
      issue_date: "2024-01-30",
      due_date: "2024-02-29",
      seller: "Arch. Chiara Montale",
      buyer: "Condominio Via Assarotti 7",
      currency: "EUR",
      net_total: 3500,
      tax_total: 770,
      gross_total: 4270,
      amount_due: 4270,
    },
  },
];
