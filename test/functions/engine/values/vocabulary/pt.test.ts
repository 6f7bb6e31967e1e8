import { testLanguage } from "./language-sample.ts";

testLanguage("pt", {
  title: "Fatura",
  labels: {
    number: "Fatura nº",
    issued: "Data de emissão",
    due: "Data de vencimento",
    buyer: "Cliente",
    net: "Total sem IVA",
    tax: "IVA 20 %",
    gross: "Valor total",
  },
  columns: ["Descrição", "Quantidade", "Preço unitário", "Valor"],
  dates: ["5 de março de 2024", "4 de abril de 2024"],
  decimalMark: ",",
  prose: [
    "Pedimos que o valor da fatura seja pago em até 30 dias para a conta que é indicada neste documento.",
    "Obrigado pela sua encomenda e pela confiança que a sua empresa tem em nós.",
  ],
  subtotal: "Subtotal",
  yes: "Sim",
  no: "Não",
});
