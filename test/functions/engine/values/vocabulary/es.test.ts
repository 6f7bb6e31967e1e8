import { testLanguage } from "./language-sample.ts";

testLanguage("es", {
  title: "Factura",
  labels: {
    number: "Número de factura",
    issued: "Fecha de emisión",
    due: "Fecha de vencimiento",
    buyer: "Facturar a",
    net: "Base imponible",
    tax: "IVA 20 %",
    gross: "Total factura",
  },
  columns: ["Descripción", "Cantidad", "Precio unitario", "Importe"],
  dates: ["5 de marzo de 2024", "4 de abril de 2024"],
  decimalMark: ",",
  prose: [
    "Le rogamos que pague el importe de la factura en un plazo de 30 días en la cuenta indicada.",
    "Gracias por su pedido y por la confianza que usted y su empresa han puesto en nosotros.",
  ],
  subtotal: "Suma anterior",
  yes: "Sí",
  no: "No",
});
