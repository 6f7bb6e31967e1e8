/** Layout pages made from text, and typical faults of text layers. */

import { unionBox } from "../../functions/engine/layout/geometry.ts";
import type { Block, Box, Line, Page, Word } from "../../functions/ports/layout.ts";
import type { OcrPage } from "../../functions/ports/ocr.ts";

/** Letters a tenth of an inch wide, lines a fifth of an inch apart. */
export function lineAt(text: string, left: number, top: number, more: Partial<Word> = {}): Line {
  let x = left;
  const words = text.split(" ").map((one): Word => {
    const box: Box = { left: x, top, right: x + one.length * 0.1, bottom: top + 0.15 };
    x = box.right + 0.1;
    return { text: one, box, ...more };
  });
  return { box: unionBox(words.map(({ box }) => box)), words };
}

export const paragraph = (...lines: Line[]): Block => ({
  kind: "paragraph",
  box: unionBox(lines.map(({ box }) => box)),
  lines,
});

export const pageOf = (blocks: Block[], number = 1): Page => ({
  number,
  width: 8.5,
  height: 11,
  unit: "inch",
  rotation: 0,
  blocks,
});

/** A page of one paragraph, eight words per line. */
export function textPage(text: string, more: Partial<Word> = {}, number = 1): Page {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const lines: Line[] = [];
  for (let at = 0; at < words.length; at += 8) {
    lines.push(lineAt(words.slice(at, at + 8).join(" "), 1, 1 + lines.length * 0.2, more));
  }
  return pageOf(lines.length === 0 ? [] : [paragraph(...lines)], number);
}

export const ocrPage = (page: Page, more: Partial<OcrPage> = {}): OcrPage => ({
  page,
  angle: 0,
  roles: page.blocks.map(() => "text"),
  tables: [],
  fields: [],
  ...more,
});

const moveIn = (first: string, by: number) => (letter: string) =>
  String.fromCharCode(((letter.charCodeAt(0) - first.charCodeAt(0) + by) % 26) + first.charCodeAt(0));

/** Shifts each letter in the alphabet, as when glyph numbers are taken for characters. */
export const shiftLetters = (text: string, by: number): string =>
  text.replaceAll(/[a-z]/g, moveIn("a", by)).replaceAll(/[A-Z]/g, moveIn("A", by));

/** Lowers every character code by 29: glyph numbers of many fonts, taken for characters. */
export const asGlyphNumbers = (text: string): string =>
  text.replaceAll(/[!-~]/g, (one) => String.fromCharCode(Math.max(one.charCodeAt(0) - 29, 0x21)));

export const asPrivateUse = (text: string): string =>
  text.replaceAll(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xf000));

/** Business letters, written for these tests. */
export const TEXTS: Record<string, string> = {
  en: `We thank you for your order of last month, which was delivered to your warehouse on Monday. Please find enclosed
our invoice for the goods. The amount is payable within thirty days of receipt; after that we charge interest on the
balance. Should any part of the delivery be damaged, let our office know before the end of the week.`,
  de: `Vielen Dank für Ihre Bestellung vom vergangenen Monat, die am Montag in Ihrem Lager eingetroffen ist. Anbei
erhalten Sie unsere Rechnung über die gelieferte Ware. Der Betrag ist innerhalb von dreißig Tagen ohne Abzug zahlbar;
danach berechnen wir Verzugszinsen. Falls ein Teil der Lieferung beschädigt ist, sagen Sie uns bitte rasch Bescheid.`,
  fr: `Nous vous remercions de votre commande du mois dernier, livrée lundi à votre entrepôt. Veuillez trouver ci-joint
notre facture pour les marchandises. Le montant est payable sous trente jours à compter de la réception; passé ce délai
nous facturons des intérêts. Si une partie de la livraison est abîmée, prévenez notre bureau avant la fin de la semaine.`,
  es: `Le agradecemos su pedido del mes pasado, que fue entregado el lunes en su almacén. Adjuntamos nuestra factura por
la mercancía. El importe debe pagarse en un plazo de treinta días desde la recepción; después cobramos intereses sobre
el saldo. Si alguna parte de la entrega está dañada, avise a nuestra oficina antes del fin de semana.`,
  nl: `Hartelijk dank voor uw bestelling van vorige maand, die maandag in uw magazijn is aangekomen. Bijgaand vindt u
onze factuur voor de goederen. Het bedrag moet binnen dertig dagen na ontvangst worden betaald; daarna berekenen wij
rente over het saldo. Als een deel van de levering beschadigd is, laat het ons kantoor dan deze week nog weten.`,
};

/** The same in languages that the word list hardly covers. */
export const OTHER_TEXTS: Record<string, string> = {
  pl: `Prosimy o zapłatę należności przelewem na podane konto w terminie czternastu dni od daty wystawienia. W przypadku
pytań prosimy o kontakt z naszym biurem obsługi klienta, które chętnie udzieli wyjaśnień i przyjmie reklamacje.`,
  fi: `Pyydämme maksamaan laskun eräpäivään mennessä alla olevalle tilille. Jos teillä on kysyttävää, ottakaa yhteyttä
asiakaspalveluumme, joka vastaa mielellään ja ottaa vastaan myös valitukset vahingoittuneista tavaroista.`,
  tr: `Lütfen fatura tutarını vade tarihine kadar aşağıdaki hesaba ödeyiniz. Sorularınız için müşteri hizmetlerimizle
iletişime geçebilirsiniz; hasarlı teslimatları hafta sonundan önce büromuza bildirmenizi rica ederiz.`,
  it: `La ringraziamo per il Suo ordine del mese scorso, consegnato lunedì nel Suo magazzino. L'importo va pagato entro
trenta giorni dal ricevimento; in seguito calcoliamo gli interessi. Se la merce è danneggiata, avvisi il nostro ufficio.`,
  sv: `Tack för er beställning från förra månaden, som levererades till ert lager i måndags. Beloppet ska betalas inom
trettio dagar efter mottagandet; därefter tar vi ut ränta. Hör av er till vårt kontor om något i leveransen är skadat.`,
  cs: `Děkujeme za vaši objednávku z minulého měsíce, která byla v pondělí doručena do vašeho skladu. Částku uhraďte do
třiceti dnů od přijetí; poté účtujeme úroky. Pokud je část dodávky poškozená, dejte prosím vědět naší kanceláři.`,
  cy: `Diolch am eich archeb y mis diwethaf, a gyrhaeddodd eich storfa ddydd Llun. Rhaid talu'r swm llawn o fewn deg ar
hugain o ddyddiau; ar ôl hynny byddwn yn codi llog. Os oes rhywbeth wedi torri, rhowch wybod i'n swyddfa ni cyn hir.`,
  uk: `Дякуємо за ваше замовлення минулого місяця, яке було доставлено в понеділок на ваш склад. Суму слід сплатити
протягом тридцяти днів після отримання; згодом ми нараховуємо відсотки. Повідомте наш офіс про пошкодження.`,
  el: `Σας ευχαριστούμε για την παραγγελία του περασμένου μήνα, που παραδόθηκε τη Δευτέρα στην αποθήκη σας. Το ποσό
πρέπει να πληρωθεί μέσα σε τριάντα ημέρες από την παραλαβή. Ενημερώστε το γραφείο μας για τυχόν ζημιές.`,
  zh: `感谢贵公司上月的订单 货物已于星期一送达贵公司仓库 请查收随附的发票 款项应在收货后三十天内支付 逾期将收取利息`,
};
