import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../../functions/ports/json.ts";
import { PageMaker } from "../../page.ts";

const schema = parseSchema({ type: "object", properties: { seller: { type: "string" }, buyer: { type: "string" } } });

function read(draw: (page: PageMaker) => void): [seller: Json, buyer: Json] {
  const page = new PageMaker();
  draw(page);
  const { seller = null, buyer = null } = extractOffline(page.layout(), { schema, granularity: "auto" }).result as {
    [name: string]: Json;
  };
  return [seller, buyer];
}

describe("names at the head of a bill", () => {
  it("are the seller's above the recipient and particulars, without a legal form or an address", () => {
    const bill = read((page) => {
      page.lines(1, 0.4, ["Eisenkontor", "809-555-2323"]);
      page.lines(1, 1.4, ["Kunde: Petra Sandkamp", "Rechnung Nr. 18"]);
    });
    expect(bill).toEqual(["Eisenkontor", "Petra Sandkamp"]);
  });

  it("are the shop's on receipts without cents", () => {
    const [seller] = read((page) => {
      page.lines(1, 0.5, ["PETIT PRIX", "tel : 0779562248", "Reçu", "coca cola   18000", "TOTAL :18000"]);
    });
    expect(seller).toBe("PETIT PRIX");
  });

  it("may begin in lower case where the bill's own address does", () => {
    const letter = read((page) => {
      page.lines(1, 1.5, ["buchfreunde - Lesestraße 111 - 54545 Lesestadt"]);
      page.lines(1, 1.8, ["Max Beispiel", "Bahnweg 3", "10115 Berlin"]);
      page.lines(1, 3, ["Rechnung Nr. 2"]);
      page.lines(3, 9, ["info@buchfreunde.example"]);
    });
    expect(letter).toEqual(["buchfreunde", "Max Beispiel"]);
  });
});

describe("a seller's name", () => {
  it("is the one with its legal form, where the account's holder has it", () => {
    const [seller] = read((page) => {
      page.text(1, 0.5, "Escape Velocity", { size: 20 });
      page.lines(1, 0.9, ["Ringstraße 4", "1010 Wien", "Rechnung Nr. 42"]);
      page.text(1, 8, "IBAN: AT61 1904 3002 3457 3201 Kontoinhaber: Escape Velocity GmbH");
    });
    expect(seller).toBe("Escape Velocity GmbH");
  });

  it("keeps a legal form behind a comma, and not the address behind that", () => {
    const [seller, buyer] = read((page) => {
      page.lines(1, 0.5, [
        "Invoice 12",
        "Seller: Nordic Supplies Co., Ltd., 2-4-1 Long Road, Tokyo, Japan",
        "Buyer: Alfa Centro, S.A. * Rua da Paz 5 * 2790-143 Amadora",
      ]);
    });
    expect([seller, buyer]).toEqual(["Nordic Supplies Co., Ltd.", "Alfa Centro, S.A."]);
  });

  it("is surer where a weak heading and the head of the page agree than a clerk's behind another", () => {
    const [seller] = read((page) => {
      page.lines(1, 0.4, ["PENTAGRUPO S.A.S.", "RUC: 1091795198001", "Factura No. 4515"]);
      page.lines(1, 2, ["vendedor: Vendedor"]);
    });
    expect(seller).toBe("PENTAGRUPO S.A.S.");
  });

  it("may have its legal form on a second line", () => {
    const [seller] = read((page) => {
      page.lines(1, 0.4, ["MATERIAIS DE CONSTRUCAO", "LTDA - ME", "CNPJ: 22.850.196/0001-46", "Nota Fiscal Nº 12"]);
    });
    expect(seller).toBe("MATERIAIS DE CONSTRUCAO LTDA - ME");
  });

  it("ends where another label begins", () => {
    const [, buyer] = read((page) => {
      page.lines(1, 0.5, ["Invoice No: 2018", "Customer Name: ZENITH, Address: ________ , Phone: ________"]);
    });
    expect(buyer).toBe("ZENITH");
  });

  it.each([
    ['ООО "Компания", ИНН 0000000000, КПП 000000000', 'ООО "Компания"', "Поставщик:", "Счет № 10"],
    ["全葳軟體資訊有限公司 | 統一編號: 54857852", "全葳軟體資訊有限公司", "開立公司:", "請款單編號: 12"],
    ["iSolar PV s.r.o.", "iSolar PV s.r.o.", "Dodavatel:", "Faktura č. 12"],
  ])("is read in any script: %s", (line, name, label, title) => {
    const [seller] = read((page) => page.text(1, 0.5, title).text(1, 1, label).text(2.2, 1, line));
    expect(seller).toBe(name);
  });
});

describe("a recipient", () => {
  it.each([
    ["請 求 書", "株式会社サンプル 御中", "株式会社サンプル"],
    ["TAX INVOICE No. 2", "Bill To :LABANYA MILK", "LABANYA MILK"],
  ])("is read beside its form of address or a colon that touches it: %s", (title, line, name) => {
    const [, buyer] = read((page) => page.text(1, 0.5, title).text(1, 1.5, line));
    expect(buyer).toBe(name);
  });

  it("may have a tax number", () => {
    const parties = read((page) => {
      page.lines(4.4, 1, ["Demo Handel GmbH", "Wattgasse 48", "1170 Wien", "demo.handel@example.com"]);
      page.lines(1, 2.5, ["Probe AG", "Lindenweg 7", "1070 Wien", "UID-Nr: ATU34567810"]);
      page.text(1, 4.5, "Rechnung Nr. 17");
    });
    expect(parties).toEqual(["Demo Handel GmbH", "Probe AG"]);
  });
});
