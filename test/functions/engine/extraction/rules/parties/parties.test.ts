import { describe, expect, it } from "vitest";
import { buildContext } from "../../../../../../functions/engine/extraction/rules/document-context.ts";
import { extractOffline } from "../../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../../functions/engine/schema/parsed-schema.ts";
import {
  hasLegalForm,
  isNameLike,
  isStreet,
  isTitle,
  placeIn,
} from "../../../../../../functions/engine/values/party-names.ts";
import type { Json } from "../../../../../../functions/ports/json.ts";
import { PageMaker } from "../../page.ts";

const party: Json = {
  type: "object",
  properties: {
    name: { type: "string" },
    street: { type: "string" },
    postal_code: { type: "string" },
    city: { type: "string" },
    country: { type: "string" },
    address: { type: "string" },
    vat_id: { type: "string" },
    email: { type: "string" },
  },
};
const schema: Json = {
  type: "object",
  properties: { seller: party, buyer: party, ship_to: { type: "object", properties: { name: { type: "string" } } } },
};

function read(draw: (page: PageMaker) => void): Json {
  const page = new PageMaker();
  draw(page);
  return extractOffline(page.layout(), { schema: parseSchema(schema), granularity: "auto" }).result;
}

describe("findParties", () => {
  it("reads right-aligned letterheads, and parts addresses at a form of address", () => {
    const { seller, buyer } = read((page) => {
      page.text(1, 0.5, "Invoice 12", { size: 16 });
      for (const [at, line] of ["Example Trading", "Hofweg 12", "20097 Hamburg", "info@example-trading.de"].entries())
        page.text(8, 1 + at * 0.18, line, { align: "right" });
      for (const [at, line] of ["Herrn", "Max Beispiel", "Bahnweg 3", "10115 Berlin"].entries())
        page.text(1, 2 + at * 0.18, line);
    }) as { seller: { name: string }; buyer: { name: string } };
    expect([seller.name, buyer.name]).toEqual(["Example Trading", "Max Beispiel"]);
  });

  it("knows a sender's line by the signs between its parts, and does not take the only address for the buyer's", () => {
    const address = ["Globex Corp.", "142 Scorpio Drive", "80085 Springfield"];
    const draw = (page: PageMaker, lines: readonly string[]): void => {
      page.text(1, 0.5, "Invoice 12");
      for (const [at, line] of lines.entries()) page.text(1, 2 + at * 0.18, line);
    };
    const name = (party: Json): Json => (party as { name: Json } | null)?.name ?? null;
    const letter = read((page) => draw(page, ["Acme Ltd. • 42 Milky Way • 1234 Faraway", ...address])) as Record<
      string,
      Json
    >;
    expect([name(letter.seller ?? null), name(letter.buyer ?? null)]).toEqual(["Acme Ltd.", "Globex Corp."]);
    const unparted = read((page) => draw(page, ["Acme GmbH Milchweg 42 12345 Weitweg", ...address])) as Record<
      string,
      Json
    >;
    expect([name(unparted.seller ?? null), name(unparted.buyer ?? null)]).toEqual(["Acme GmbH", "Globex Corp."]);
    const lone = read((page) => draw(page, address)) as Record<string, Json>;
    expect(name(lone.buyer ?? null)).toBeNull();
  });

  it("takes the line with a legal form below a brand at the head of an address", () => {
    const { seller } = read((page) => {
      page.text(1, 4, "Invoice 12");
      page.lines(5.5, 0.5, [
        "Handwerk24 Beispielstadt",
        "Muster GmbH",
        "Gasweg 3",
        "10115 Berlin",
        "www.handwerk24.example",
      ]);
    }) as { seller: { name: string } };
    expect(seller.name).toBe("Muster GmbH");
  });

  it("takes a name without the title and the numbers behind its legal form", () => {
    const { seller } = read((page) =>
      page.text(1, 0.5, "Muster GmbH Rechnung").text(1, 0.7, "Weg 1").text(1, 0.9, "10115 Berlin"),
    ) as {
      seller: { name: string };
    };
    expect(seller.name).toBe("Muster GmbH");
  });

  it("reads blocks below headings, part by part", () => {
    const result = read((page) => {
      page.lines(1, 1, [
        "From",
        "Ostrich Books Ltd",
        "8 Quay Street",
        "Bristol BS1 4DJ",
        "United Kingdom",
        "VAT ID: GB 123 4567 82",
      ]);
      page.lines(5, 1, [
        "Bill to",
        "Mr. Amir Haddad",
        "Rue de la Loi 16",
        "1000 Bruxelles",
        "Belgique",
        "amir@haddad.example",
      ]);
      page.lines(5, 2.5, ["Ship to", "Haddad Storage NV", "Kade 1", "2000 Antwerpen"]);
    });
    expect(result).toEqual({
      seller: {
        name: "Ostrich Books Ltd",
        street: "8 Quay Street",
        postal_code: "BS1 4DJ",
        city: "Bristol",
        country: "United Kingdom",
        address: "8 Quay Street, Bristol BS1 4DJ, United Kingdom",
        vat_id: "GB 123 4567 82",
        email: null,
      },
      buyer: {
        name: "Amir Haddad",
        street: "Rue de la Loi 16",
        postal_code: "1000",
        city: "Bruxelles",
        country: "Belgique",
        address: "Rue de la Loi 16, 1000 Bruxelles, Belgique",
        vat_id: null,
        email: "amir@haddad.example",
      },
      ship_to: { name: "Haddad Storage NV" },
    });
  });

  it("separates the sender's line from the recipient's address in a letter", () => {
    const result = read((page) => {
      page.text(1, 1.8, "Feinkost Auerbach · Marktgasse 2 · 04109 Leipzig", { size: 7 });
      page.lines(1, 2, ["Frau", "Ilse Köhn", "Parkstraße 7", "04229 Leipzig"]);
      page.text(1, 4, "Vielen Dank für Ihren Einkauf.");
    });
    expect(result).toMatchObject({
      seller: { name: "Feinkost Auerbach" },
      buyer: { name: "Ilse Köhn", city: "Leipzig", postal_code: "04229" },
    });
  });

  it("takes the name above a centred address as the issuer", () => {
    const result = read((page) => {
      const centred = (y: number, text: string, left: number): unknown => page.text(left, y, text);
      centred(0.8, "Bodega Robledo", 3.62);
      centred(0.95, "Calle Mayor 18", 3.67);
      centred(1.1, "28013 Madrid", 3.73);
      page.text(1, 2, "TOTAL").text(5, 2, "19,40");
    });
    expect(result).toMatchObject({ seller: { name: "Bodega Robledo" } });
  });

  const slip = (size: number): Json =>
    read((page) => {
      page.text(3, 0.6, "Molino", { size });
      page.lines(3, 0.6 + size / 60, ["Calle Mayor 18", "28013 Madrid"], { size: 9 });
      page.text(3, 2, "Ticket 4711").text(3, 2.3, "TOTAL").text(5, 2.3, "19,40 €");
    });

  it.each([15, 9])("takes the first name on a receipt as the issuer, not as the recipient, in %i points", (size) => {
    expect(slip(size)).toMatchObject({ seller: { name: "Molino", city: "Madrid" }, buyer: { name: null } });
  });

  it("reads names behind labels in a party's section, beside and below them", () => {
    const result = read((page) => {
      page.text(1, 0.6, "FACTURA", { size: 16 });
      page
        .text(1, 1, "Sprzedawca", { size: 12 })
        .text(1, 1.4, "NIP: 9999999999")
        .text(1, 1.6, "Nazwa: Alfa Sp. z o.o.");
      page.text(1, 2.4, "Tomador de serviços").text(1, 2.7, "Nome").text(4, 2.7, "Telefone");
      page.text(1, 2.9, "Beta Doces Ltda").text(4, 2.9, "13 2802-3254");
    });
    expect(result).toMatchObject({ seller: { name: "Alfa Sp. z o.o." }, buyer: { name: "Beta Doces Ltda" } });
  });

  it("cuts street and place off a name on one line", () => {
    const result = read((page) => {
      page.text(1, 0.6, "INVOICE", { size: 16 }).text(1, 1, "Bill to: Bergen Trading AS, Bryggen 5, Bergen");
    });
    expect(result).toMatchObject({ buyer: { name: "Bergen Trading AS" } });
  });

  it("reads an address without a postal code up to the country below its street", () => {
    const result = read((page) => {
      page.lines(1, 0.4, ["Nordlicht Ltd.", "Hafenstraße 2", "Hamburg", "Deutschland"]);
      page.lines(1, 2, ["Jonas Ebert", "Bahnhofstraße 1", "Berlin", "Deutschland"]);
      page.text(1, 4, "Rechnung Nr. 12").text(1, 4.3, "Rechnungsbetrag").text(4, 4.3, "310,00 €");
    });
    expect(result).toMatchObject({
      seller: { name: "Nordlicht Ltd." },
      buyer: { name: "Jonas Ebert", street: "Bahnhofstraße 1", country: "Deutschland" },
    });
  });

  it("finds nobody on documents that are neither bill nor letter, and ignores placeholders", () => {
    const form = read((page) => {
      page.lines(1, 0.8, ["Department of Records", "12 Capitol Street", "Salem, OR 97301"]);
      page.text(1, 2, "Read the instructions before you fill in this form.");
    });
    expect(form).toMatchObject({ seller: { name: null }, buyer: { name: null } });
    const template = read((page) => {
      page.text(1, 1, "INVOICE", { size: 18 });
      page.lines(1, 2, ["Bill to", "{customer_name}", "[Street]"]).lines(1, 3, ["Seller", "<<company>>"]);
    });
    expect(template).toMatchObject({ seller: { name: null }, buyer: { name: null } });
  });

  it("finds the name in a section of labels and values", () => {
    const result = read((page) => {
      for (const [top, heading, name, street] of [
        [1, "Verkäufer", "Lieferant GmbH", "Hafenweg 2"],
        [3, "Käufer/Leistungsempfänger", "Kunden AG Mitte", "Kundenstraße 15"],
      ] as const) {
        page
          .text(1, top, heading)
          .text(1, top + 0.25, "Nummer:")
          .text(3.5, top + 0.25, "549910");
        page.text(1, top + 0.5, "Name:").text(3.5, top + 0.5, name);
        page
          .text(1, top + 0.75, "Anschrift:")
          .text(3.5, top + 0.75, street)
          .text(3.5, top + 1, "80333 München");
      }
    });
    expect(result).toMatchObject({
      seller: { name: "Lieferant GmbH", street: "Hafenweg 2" },
      buyer: { name: "Kunden AG Mitte", city: "München" },
    });
  });

  it("prefers the letterhead to the payee", () => {
    const result = read((page) => {
      page.text(0.8, 0.5, "CONDOR LTD.", { size: 20, bold: true }).text(6, 0.5, "INVOICE", { size: 20 });
      page.lines(0.8, 2, ["Bill to:", "Ada Byron", "1 Main St", "Salem, OR 97301"]);
      page.lines(0.8, 9, ["Remit to:", "Condor Billing Office", "12 Remit St", "New York, NY 10001"]);
    });
    expect(result).toMatchObject({ seller: { name: "CONDOR LTD." }, buyer: { name: "Ada Byron", city: "Salem" } });
  });

  it.each([
    ["Brightside Supplies Ltd", "Customer: Oakwood Dental Practice", "Oakwood Dental Practice"],
    ["Groothandel De Vries BV", "Klant: Bakkerij Smit", "Bakkerij Smit"],
    ["Suministros Vega S.L. - CIF B98765432", "Cliente: Bar El Puerto", "Bar El Puerto"],
    ["Transports Girard SAS - Tél. 04 75 00 00 00", "Client : Cave de Tain", "Cave de Tain"],
    ["Holz Brandt GmbH · www.holz-brandt.example", "Kunde: Tischlerei Kruse", "Tischlerei Kruse"],
  ])("reads a letterhead in one stack with the buyer's line (%s)", (head, line, buyer) => {
    const page = new PageMaker().lines(1, 0.6, [head, "Invoice A-12", line, "Total 84.00 EUR"]);
    const parties = buildContext(page.layout(), new Map(), []).parties();
    expect(parties.seller?.name.value).toBe(head.split(/ [-·] /)[0]);
    expect(parties.buyer?.name.value).toBe(buyer);
  });

  it("finds nobody on a page without names", () => {
    const result = read((page) =>
      page.text(1, 3, "This page says nothing about who wrote it.").text(1, 3.3, "Total: 12.00"),
    );
    expect(result).toMatchObject({
      seller: { name: null, city: null },
      buyer: { name: null },
      ship_to: { name: null },
    });
  });

  it("does not take a customer number as the customer", () => {
    expect(read((page) => page.text(1, 3, "Customer: 10455").text(1, 3.2, "Client no: C-1"))).toMatchObject({
      buyer: { name: null },
    });
  });
});

describe("the reading of one line", () => {
  it.each([
    "Muster GmbH & Co. KG",
    "Acme, Inc.",
    "Dupont SARL",
    "Jansen B.V.",
    "Rossi S.r.l.",
    "Pérez S.L.",
    "Smith LLP",
  ])("%j has a legal form", (text) => {
    expect(hasLegalForm(text)).toBe(true);
  });
  it.each(["Agenda", "Incoming goods", "Cooper", "sale"])("%j has no legal form", (text) => {
    expect(hasLegalForm(text)).toBe(false);
  });
  it.each<[string, string | null, string | null]>([
    ["49074 Osnabrück", "49074", "Osnabrück"],
    ["CH-8800 Thalwil", "8800", "Thalwil"],
    ["3512 AK Utrecht", "3512 AK", "Utrecht"],
    ["Portland, OR 97204", "97204", "Portland"],
    ["Leeds LS1 4AP", "LS1 4AP", "Leeds"],
    ["75008 Paris", "75008", "Paris"],
    ["Rechnung 471102", null, null],
    ["12.05.2024", null, null],
    ["Total 1250 EUR", null, null],
    ["ul. Kowalska 1, 00-950 Kowalewo", "00-950", "Kowalewo"],
    ["123 45 Köpstad", "123 45", "Köpstad"],
    ["3500-169 VISEU", "3500-169", "VISEU"],
    ["08021 - BARCELONA", "08021", "BARCELONA"],
    ["Maskavas iela 10, Rīga, LV-1050", "LV-1050", "Rīga"],
    ["Town, Kolkata- 700157", "700157", "Kolkata"],
    ["125009, Москва", "125009", "Москва"],
    ["Menge 100 20 Stück", null, null],
  ])("%j is the place %s %s", (text, code, city) => {
    expect([placeIn(text)?.code ?? null, placeIn(text)?.city ?? null]).toEqual([code, city]);
  });
  it.each([
    "Lindenweg 4",
    "812 Juniper Ave",
    "6 quai des Belges",
    "Calle Industria 45",
    "Via dei Cipressi 31",
    "Oudegracht 200",
    "Postfach 1234",
  ])("%j is a street", (text) => {
    expect(isStreet(text)).toBe(true);
  });
  it.each(["Kunden AG Mitte", "Rechnung vom 5. März", "Lieferung"])("%j is no street", (text) => {
    expect(isStreet(text)).toBe(false);
  });
  it.each(["INVOICE", "Rechnung", "Facture N°", "FACTUUR", "Tax Invoice:", "Seite 1"])(
    "%j is a title of a document",
    (text) => {
      expect(isTitle(text)).toBe(true);
      expect(isNameLike(text)).toBe(false);
    },
  );
  it.each(["Petra Sandkamp", "M. van den Berg", "3M Deutschland GmbH", "Comité des Fêtes"])(
    "%j may be a name",
    (text) => {
      expect(isNameLike(text)).toBe(true);
    },
  );
  it.each([
    "12345",
    "a@b.example",
    "Tel: 030 1234567",
    "We thank you for your order and look forward to the next.",
    "19,00 €",
  ])("%j may not be a name", (text) => {
    expect(isNameLike(text)).toBe(false);
  });
});
