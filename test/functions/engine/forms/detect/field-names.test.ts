import { expect, it } from "vitest";
import { fieldName, UniqueNames } from "../../../../../functions/engine/forms/detect/field-names.ts";

it.each([
  ["source_snake_case", "Straße und Haus-Nr.:", "straße_und_haus_nr"],
  ["snake_case", "Prénom de l’élève", "prenom_de_l_eleve"],
  ["camelCase", "Date of birth (mm/dd/yyyy)", "dateOfBirthMmDdYyyy"],
  ["source_snake_case", "Прізвище", "прізвище"],
  ["source_snake_case", " … ", "field"],
] as const)("fieldName makes a name in %s of %j", (style, label, name) => {
  expect(fieldName(label, style, "field")).toBe(name);
});

it("fieldName takes the beginning of a long label", () => {
  const label = "If you have lived at this address for less than two years give the previous one here";
  expect(fieldName(label, "snake_case", "field")).toBe("if_you_have_lived_at_this_address_for");
});

it("UniqueNames numbers the second of a name, and leaves out names that are taken", () => {
  const names = new UniqueNames("snake_case", ["city_2"]);
  expect([names.add("city"), names.add("city"), names.add("city"), names.add("zip")]).toEqual([
    "city",
    "city_3",
    "city_4",
    "zip",
  ]);
  const camel = new UniqueNames("camelCase");
  expect([camel.add("city"), camel.add("city")]).toEqual(["city", "city2"]);
});
