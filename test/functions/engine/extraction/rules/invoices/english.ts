import { grid, type Sample } from "./sample.ts";

/** Invoices and receipts as the US, the UK and Australia print them. */
export const ENGLISH: Sample[] = [
  {
    name: "us-design-studio",
    draw(page) {
      page.text(1, 0.6, "Bluebird Design Studio LLC", { size: 14, bold: true });
      page.lines(1, 0.9, ["812 Juniper Ave", "Portland, OR 97204", "hello@bluebirddesign.example"], { size: 9 });
      page.text(7.4, 0.6, "INVOICE", { size: 20, align: "right" });
      grid(
        page,
        1.2,
        [5, -7.4],
        [
          ["Invoice #", "1047"],
          ["Invoice Date", "03/07/2024"],
          ["Due Date", "04/06/2024"],
        ],
      );
      page.text(1, 2.3, "BILL TO", { size: 8, bold: true });
      page.lines(1, 2.5, ["Cedar Grove Bakery Inc.", "55 Main Street", "Salem, OR 97301"]);
      grid(
        page,
        3.8,
        [1, -5, -6.2, -7.4],
        [
          ["Description", "Qty", "Rate", "Amount"],
          ["Logo redesign", "1", "$1,800.00", "$1,800.00"],
          ["Menu layout", "4", "$125.00", "$500.00"],
        ],
      );
      grid(
        page,
        5,
        [5.2, -7.4],
        [
          ["Subtotal", "$2,300.00"],
          ["Sales Tax (8.25%)", "$189.75"],
          ["Total", "$2,489.75"],
          ["Amount Paid", "$489.75"],
          ["Balance Due", "$2,000.00"],
        ],
      );
    },
    expected: {
      invoice_number: "1047",
      issue_date: "2024-03-07",
      due_date: "2024-04-06",
      seller: "Bluebird Design Studio LLC",
      buyer: "Cedar Grove Bakery Inc.",
      currency: "USD",
      net_total: 2300,
      tax_total: 189.75,
      gross_total: 2489.75,
      amount_due: 2000,
    },
  },
  {
    name: "uk-plumber",
    draw(page) {
      page.text(4.1, 0.5, "Thistle & Pipe Ltd", { size: 18, bold: true });
      page.text(3.4, 0.85, "14 Mill Lane, Leeds LS1 4AP · VAT No. GB 123 4567 82", { size: 8 });
      page.text(1, 1.5, "TAX INVOICE", { size: 13, bold: true });
      page.lines(1, 2, ["Invoice to:", "Mr. Owen Harcastle", "3 Abbey Road", "York YO1 7HH"]);
      page.lines(5, 2, ["Invoice No: TP-2291", "Date of issue: 21 November 2023", "Payment due: 5 December 2023"]);
      grid(
        page,
        3.4,
        [1, -6, -7.4],
        [
          ["Details", "Hours", "Amount"],
          ["Replace boiler valve", "2", "£150.00"],
          ["Parts", "", "£86.40"],
        ],
      );
      grid(
        page,
        4.6,
        [5, -7.4],
        [
          ["Net", "£236.40"],
          ["VAT @ 20%", "£47.28"],
          ["Total inc. VAT", "£283.68"],
        ],
      );
    },
    expected: {
      invoice_number: "TP-2291",
      issue_date: "2023-11-21",
      due_date: "2023-12-05",
      seller: "Thistle & Pipe Ltd",
      buyer: "Owen Harcastle",
      currency: "GBP",
      net_total: 236.4,
      tax_total: 47.28,
      gross_total: 283.68,
      amount_due: 283.68,
    },
  },
  {
    name: "us-saas-header-row",
    draw(page) {
      page.text(1, 0.6, "Quillworks, Inc.", { size: 12, bold: true });
      page.lines(
        1,
        0.85,
        ["200 Townsend St, Suite 5", "San Francisco, CA 94107", "United States", "billing@quillworks.example"],
        { size: 8 },
      );
      page.text(1, 1.7, "Invoice", { size: 22 });
      grid(
        page,
        2.3,
        [1, 3, 5],
        [
          ["Invoice number", "Date of issue", "Date due"],
          ["QW-58812-0003", "January 9, 2024", "January 23, 2024"],
        ],
      );
      page.lines(1, 3, ["Bill to", "Harbor Analytics GmbH", "Speicherstraße 1", "20457 Hamburg", "Germany"]);
      page.text(1, 4.3, "$348.00 USD due January 23, 2024", { size: 13, bold: true });
      grid(
        page,
        4.9,
        [1, -5, -6.2, -7.4],
        [
          ["Description", "Qty", "Unit price", "Amount"],
          ["Team plan (Jan 9 – Feb 9, 2024)", "12", "$29.00", "$348.00"],
        ],
      );
      grid(
        page,
        5.6,
        [4.6, -7.4],
        [
          ["Subtotal", "$348.00"],
          ["Total", "$348.00"],
          ["Amount due", "$348.00 USD"],
        ],
      );
    },
    expected: {
      invoice_number: "QW-58812-0003",
      issue_date: "2024-01-09",
      due_date: "2024-01-23",
      seller: "Quillworks, Inc.",
      buyer: "Harbor Analytics GmbH",
      currency: "USD",
      net_total: 348,
      gross_total: 348,
      amount_due: 348,
    },
  },
  {
    name: "au-tax-invoice",
    draw(page) {
      page.text(1, 0.6, "Red Gum Landscaping Pty Ltd", { size: 13, bold: true });
      page.text(1, 0.85, "ABN 51 824 753 556", { size: 8 });
      page.text(6, 0.6, "TAX INVOICE", { size: 13 });
      page.lines(1, 1.5, [
        "Customer: Wattle Street Dental",
        "Customer No: C-881",
        "Tax Invoice No: 20931",
        "Date: 30/06/2023",
        "Terms: 14 days",
        "Due: 14/07/2023",
      ]);
      grid(
        page,
        3.2,
        [1, -7.4],
        [
          ["Item", "Total"],
          ["Garden maintenance June", "640.00"],
        ],
      );
      grid(
        page,
        4,
        [5, -7.4],
        [
          ["Subtotal excl. GST", "AUD 581.82"],
          ["GST", "AUD 58.18"],
          ["Total incl. GST", "AUD 640.00"],
        ],
      );
    },
    expected: {
      invoice_number: "20931",
      issue_date: "2023-06-30",
      due_date: "2023-07-14",
      seller: "Red Gum Landscaping Pty Ltd",
      buyer: "Wattle Street Dental",
      currency: "AUD",
      net_total: 581.82,
      tax_total: 58.18,
      gross_total: 640,
      amount_due: 640,
    },
  },
  {
    name: "us-store-receipt",
    draw(page) {
      page.lines(3, 0.5, ["CORNER HARDWARE", "401 Elm St", "Austin, TX 78701", "Tel: (512) 555-0134"], { size: 9 });
      page.lines(3, 1.3, ["Receipt No. 004417", "Date: 02/28/2024 14:22", "Cashier: Dana"], { size: 9 });
      grid(
        page,
        2,
        [3, -5.2],
        [
          ["Hammer 16oz", "18.99"],
          ["Wood screws", "7.49"],
          ["SUBTOTAL", "26.48"],
          ["TAX 8.25%", "2.18"],
          ["TOTAL", "$28.66"],
          ["VISA ************1111", "$28.66"],
          ["CHANGE", "$0.00"],
        ],
        0.18,
        9,
      );
    },
    expected: {
      issue_date: "2024-02-28",
      seller: "CORNER HARDWARE",
      currency: "USD",
      net_total: 26.48,
      tax_total: 2.18,
      gross_total: 28.66,
    },
  },
  {
    name: "us-medical-statement",
    draw(page) {
      page.text(1, 0.5, "Lakeside Physical Therapy", { size: 14, bold: true });
      page.text(1, 0.75, "77 Shore Drive, Madison, WI 53703 | (608) 555-0188 | www.lakesidept.example", { size: 8 });
      page.lines(1, 1.6, [
        "Patient: Rosa Delgado",
        "Statement Number: ST-90021",
        "Statement Date: Aug. 15, 2023",
        "Please pay by: Sept. 14, 2023",
      ]);
      grid(
        page,
        3,
        [1, 2.2, -7.4],
        [
          ["Date", "Service", "Charge"],
          ["08/01/2023", "Evaluation", "210.00"],
          ["08/08/2023", "Therapeutic exercise", "145.00"],
        ],
      );
      grid(
        page,
        4.2,
        [4.8, -7.4],
        [
          ["Total charges", "$355.00"],
          ["Payments received", "$200.00"],
          ["Amount you owe", "$155.00"],
        ],
      );
    },
    expected: {
      invoice_number: "ST-90021",
      issue_date: "2023-08-15",
      due_date: "2023-09-14",
      seller: "Lakeside Physical Therapy",
      buyer: "Rosa Delgado",
      currency: "USD",
      gross_total: 355,
      amount_due: 155,
    },
  },
];
