import { describe, expect, it } from "vitest";
import { type Meaning, meaningOf } from "../../../../../functions/engine/extraction/rules/field-meaning.ts";
import { fieldsOf } from "../../../../../functions/engine/extraction/rules/items/item-lists.ts";
import { readSchema, type Shape } from "../../../../../functions/engine/schema/schema-shape.ts";
import type { Json } from "../../../../../functions/ports/json.ts";

function allFields(shape: Shape): ReturnType<typeof fieldsOf> {
  return shape.kind === "list"
    ? fieldsOf(shape.item)
    : shape.kind === "object"
      ? shape.members.flatMap(({ shape: member }) => allFields(member))
      : fieldsOf(shape);
}

/** The meaning of the only field of a schema given by its path. */
function meaningAt(path: string, property: Json): Meaning {
  const schema = path
    .split(".")
    .reduceRight<Json>(
      (inner, name) =>
        name.endsWith("[]")
          ? { type: "object", properties: { [name.slice(0, -2)]: { type: "array", items: inner } } }
          : { type: "object", properties: { [name]: inner } },
      property,
    );
  const [field] = allFields(readSchema(schema));
  if (field === undefined) throw new Error("no field");
  return meaningOf(field);
}

describe("meaningOf", () => {
  it.each<[string, Json, string | null]>([
    ["invoice_number", { type: "string" }, "invoice-number"],
    ["invoiceNo", { type: "string" }, "invoice-number"],
    ["rechnungsnummer", { type: "string" }, "invoice-number"],
    ["numero_facture", { type: "string" }, "invoice-number"],
    ["invoice.number", { type: "string" }, "invoice-number"],
    ["customer_number", { type: "string" }, "customer-number"],
    ["customer.number", { type: "string" }, "customer-number"],
    ["po_number", { type: "string" }, "order-number"],
    ["issue_date", { type: "string", format: "date" }, "issue-date"],
    ["date", { type: "string" }, "issue-date"],
    ["fecha_de_vencimiento", { type: "string" }, "due-date"],
    ["dueDate", { type: "string", format: "date" }, "due-date"],
    ["subtotal", { type: "number" }, "net-total"],
    ["total", { type: "number" }, "gross-total"],
    ["total", { type: "number", description: "Total amount excluding VAT" }, "net-total"],
    ["total_ht", { type: "number" }, "net-total"],
    ["vat", { type: "number" }, "tax-total"],
    ["vat", { type: "string" }, "vat-id"],
    ["vat_rate", { type: "number" }, "tax-rate"],
    ["balanceDue", { type: "number" }, "amount-due"],
    ["zahlbetrag", { type: "number" }, "amount-due"],
    ["currency", { type: "string" }, "currency"],
    ["iban", { type: "string" }, "iban"],
    ["vendor", { type: "string" }, "seller"],
    ["seller_name", { type: "string" }, "seller"],
    ["merchant.name", { type: "string" }, "seller"],
    ["bill_to", { type: "string" }, "buyer"],
    ["x17", { type: "number", title: "Amount due" }, "amount-due"],
    ["x18", { type: "string", description: "The invoice number." }, "invoice-number"],
    ["lines[].description", { type: "string" }, "item-description"],
    ["items[].unitPrice", { type: "number" }, "unit-price"],
    ["items[].total", { type: "number" }, "line-amount"],
    ["items[].qty", { type: "integer" }, "quantity"],
    ["shoe_size", { type: "number" }, null],
    ["name", { type: "string" }, null],
    ["issue_date", { type: "boolean" }, null],
    ["number", { type: "string" }, null],
  ])("%s %j is about %s", (path, property, concept) => {
    expect(meaningAt(path, property).concept).toBe(concept);
  });

  it.each<[string, string | null, string | null]>([
    ["seller.address.city", "seller", "city"],
    ["customer_city", "buyer", "city"],
    ["vendorAddress", "seller", "address"],
    ["buyer.postal_code", "buyer", "postal-code"],
    ["supplier.vat_id", "seller", null],
    ["ship_to.name", "ship-to", "name"],
    // Its number stands anywhere on a page, not in the party's block.
    ["customer_number", null, null],
    ["buyer.id", null, null],
    ["supplier_tax_number", "seller", null],
    ["favourite.colour", null, null],
  ])("%s belongs to %s as its %s", (path, role, part) => {
    const meaning = meaningAt(path, { type: "string" });
    expect([meaning.role, meaning.part]).toEqual([role, part]);
  });

  it.each<[string, string, string | null, string | null]>([
    // A small word beside a single one makes no phrase of it.
    ["ceremony_day", "Date of the ceremony in the hall", null, "date"],
    ["registration", "Page of the registration in the web", null, null],
    ["cim", "A dokumentum címe", "title", "text"],
    ["kind", "Title of the contract", "title", "text"],
    ["press_email", "", null, "email"],
    ["telefono_bogota", "", null, "phone"],
  ])("%s, described as %j, is about %s with a value that is a %s", (name, description, concept, value) => {
    expect(meaningAt(name, { type: "string", description })).toMatchObject({ concept, value });
  });

  it("uses a field's name, title and short description as labels", () => {
    const meaning = meaningAt("shoe_size", {
      type: "number",
      title: "Schuhgröße",
      description: 'Size ("EU size") of the shoe',
    });
    expect(meaning.ownKeys.map(({ key }) => key)).toEqual(expect.arrayContaining(["schuhgrosse", "shosize", "eusize"]));
  });
});
