/** Schemas that ask for the truths, under two namings, and the true values of the documents. */
import type { Json } from "../../functions/ports/json.ts";

export type Values = { [name: string]: Json };

const text = (description: string): Json => ({ type: "string", description });
const date = (description: string): Json => ({ type: "string", format: "date", description });
const number = (description: string): Json => ({ type: "number", description });
const object = (properties: Values): Json => ({ type: "object", properties });
const list = (items: Json): Json => ({ type: "array", items });

/** The path of a value in a result, and its schema. */
type Member = [path: string[], schema: Json];

interface Naming {
  members: Record<string, Member>;
  /** Members of lists, by the name of the list. */
  items: Record<string, Record<string, [name: string, schema: Json]>>;
}

const PLAIN_NAMING: Naming = {
  members: {
    invoice_number: [["invoice_number"], text("Number of the invoice as printed")],
    issue_date: [["issue_date"], date("Date on which the invoice was issued")],
    due_date: [["due_date"], date("Date by which the invoice must be paid")],
    seller: [["seller"], text("Name of the company or person that issued the invoice")],
    buyer: [["buyer"], text("Name of the customer that the invoice is addressed to")],
    currency: [["currency"], text("ISO 4217 code of the currency")],
    net_total: [["net_total"], number("Total amount without tax")],
    tax_total: [["tax_total"], number("Total amount of tax")],
    gross_total: [["gross_total"], number("Total amount with tax")],
    amount_due: [["amount_due"], number("Amount that is still to be paid")],
    iban: [["iban"], text("IBAN of the seller's account")],
    seller_vat_id: [["seller_vat_id"], text("VAT identification number of the seller")],
    customer_number: [["customer_number"], text("Number under which the customer is known to the seller")],
    purchase_order_number: [["purchase_order_number"], text("Number of the customer's order")],
    delivery_date: [["delivery_date"], date("Date on which the goods were delivered")],
    seller_city: [["seller_city"], text("City of the seller")],
    seller_street: [["seller_street"], text("Street and house number of the seller")],
    buyer_vat_id: [["buyer_vat_id"], text("VAT identification number of the customer")],
    contact_person: [["contact_person"], text("Person at the seller who answers questions")],
    bank_name: [["bank_name"], text("Name of the seller's bank")],
    project_name: [["project_name"], text("Name of the project that the invoice is for")],
    contract_number: [["contract_number"], text("Number of the contract")],
    shipping_cost: [["shipping_cost"], number("Amount charged for shipping")],
    discount_amount: [["discount_amount"], number("Total of all discounts")],
    prepaid_amount: [["prepaid_amount"], number("Amount that was paid in advance")],
    net_weight: [["net_weight"], number("Net weight in kilograms")],
    number_of_employees: [["number_of_employees"], { type: "integer", description: "Number of employees" }],
    warranty_until: [["warranty_until"], date("Date on which the warranty ends")],
    lines: [["lines"], null],
    entries: [["entries"], null],
  },
  items: {
    lines: {
      article_code: ["article_code", text("Code of the article")],
      discount: ["discount", number("Discount on the line")],
      delivered_on: ["delivered_on", date("Date of delivery of the line")],
      description: ["description", text("What was sold")],
      quantity: ["quantity", number("How many")],
      unit_price: ["unit_price", number("Price of one")],
      amount: ["amount", number("Amount of the line")],
    },
    entries: {
      entry: ["entry", { type: "integer" }],
      booked: ["booked", date("Day of the booking")],
      reference: ["reference", text("Reference of the document")],
      party: ["party", text("Who paid or was paid")],
      amount: ["amount", number("Amount")],
    },
    rows: {},
  },
};

const plain = { type: "string" };
const NESTED_NAMING: Naming = {
  members: {
    invoice_number: [["document", "number"], plain],
    issue_date: [["document", "invoiceDate"], { type: "string", format: "date" }],
    due_date: [["document", "paymentDueDate"], { type: "string", format: "date" }],
    seller: [["vendor", "name"], plain],
    buyer: [["customer", "name"], plain],
    currency: [["totals", "currencyCode"], plain],
    net_total: [["totals", "subtotal"], { type: "number" }],
    tax_total: [["totals", "vatAmount"], { type: "number" }],
    gross_total: [["totals", "grandTotal"], { type: "number" }],
    amount_due: [["totals", "balanceDue"], { type: "number" }],
    iban: [["vendor", "iban"], plain],
    seller_vat_id: [["vendor", "vatId"], plain],
    customer_number: [["customer", "customerNumber"], plain],
    purchase_order_number: [["document", "orderReference"], plain],
    delivery_date: [["document", "deliveryDate"], { type: "string", format: "date" }],
    seller_city: [["vendor", "city"], plain],
    seller_street: [["vendor", "street"], plain],
    buyer_vat_id: [["customer", "vatId"], plain],
    contact_person: [["vendor", "contactPerson"], plain],
    bank_name: [["payment", "bankName"], plain],
    project_name: [["document", "project"], plain],
    contract_number: [["document", "contractNo"], plain],
    shipping_cost: [["totals", "freight"], { type: "number" }],
    discount_amount: [["totals", "discount"], { type: "number" }],
    prepaid_amount: [["totals", "deposit"], { type: "number" }],
    net_weight: [["shipment", "netWeightKg"], { type: "number" }],
    number_of_employees: [["vendor", "employees"], { type: "integer" }],
    warranty_until: [["document", "warrantyEnd"], { type: "string", format: "date" }],
    lines: [["lineItems"], null],
    entries: [["bookings"], null],
  },
  items: {
    lines: {
      article_code: ["sku", plain],
      discount: ["rebate", { type: "number" }],
      delivered_on: ["deliveredOn", { type: "string", format: "date" }],
      description: ["itemDescription", plain],
      quantity: ["qty", { type: "number" }],
      unit_price: ["unitPrice", { type: "number" }],
      amount: ["lineTotal", { type: "number" }],
    },
    entries: {
      entry: ["no", { type: "integer" }],
      booked: ["date", { type: "string", format: "date" }],
      reference: ["documentReference", plain],
      party: ["counterparty", plain],
      amount: ["value", { type: "number" }],
    },
    rows: {},
  },
};

/** The names of single values. */
export const SINGLE_NAMES = Object.entries(PLAIN_NAMING.members).flatMap(([name, [, schema]]) =>
  schema === null ? [] : [name],
);

export const NAMINGS = [PLAIN_NAMING, NESTED_NAMING];

function put(
  root: Values,
  path: readonly string[],
  value: Json,
  wrap: (inner: Values) => Json,
  open: (node: Json) => Values,
): void {
  const [name = "", ...rest] = path;
  if (rest.length === 0) {
    root[name] = value;
    return;
  }
  const inner = root[name] === undefined ? {} : open(root[name]);
  put(inner, rest, value, wrap, open);
  root[name] = wrap(inner);
}

const membersOf = (node: Json): Values =>
  typeof node === "object" && node !== null && !Array.isArray(node) ? node : {};

/** A result with the truths, by the names of a naming. */
export function resultOf(truth: Values, naming: Naming): Json {
  const result: Values = {};
  for (const [name, value] of Object.entries(truth)) {
    const items = naming.items[name];
    const renamed =
      items === undefined || !Array.isArray(value)
        ? value
        : value.map((row) =>
            Object.fromEntries(Object.entries(membersOf(row)).map(([key, cell]) => [items[key]?.[0] ?? key, cell])),
          );
    put(result, naming.members[name]?.[0] ?? [name], renamed, (inner) => inner, membersOf);
  }
  return result;
}

export type FieldKind = "number" | "integer" | "date" | "text";

/** The kind of a name's values, by its schema. @param list the list whose column it is */
export function kindOf(name: string, list?: string): FieldKind {
  const schema = list === undefined ? PLAIN_NAMING.members[name]?.[1] : PLAIN_NAMING.items[list]?.[name]?.[1];
  const { type, format } = membersOf(schema ?? null);
  if (type === "number" || type === "integer") return type;
  return format === "date" ? "date" : "text";
}

/** The schema that asks for the truths, including unstated ones. */
export function schemaOf(truth: Values, naming: Naming): Json {
  const properties: Values = {};
  for (const [name, value] of Object.entries(truth)) {
    const items = naming.items[name];
    const [path, own] = naming.members[name] ?? [[name], null];
    const row = membersOf(Array.isArray(value) ? (value[0] ?? null) : null);
    const schema =
      items === undefined || !Array.isArray(value)
        ? own
        : list(
            object(
              Object.fromEntries(Object.keys(row).map((key) => [items[key]?.[0] ?? key, items[key]?.[1] ?? plain])),
            ),
          );
    put(
      properties,
      path,
      schema,
      (inner) => object(inner),
      (node) => membersOf(membersOf(node).properties ?? null),
    );
  }
  return object(properties);
}
