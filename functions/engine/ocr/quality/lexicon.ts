/**
 * Words that nearly every document of a language has: those that carry its grammar, and those of letters, invoices,
 * contracts and forms. Few, as they do not have to name the text but only to show that it is one. In lower case.
 */
const ENGLISH = `the of and to in is it you that he was for on are with as his they be at one have this from or had by not
but what all were when we there can an your which their said if do will each about how up out them then she many some
these would other into has more her two like him see time could no make than first been its who now people my made over
did down only way find use may water long little very after words called just where most know through back much before
also around another came come work three word must because does part even place well such here take why things help put
years different away again off went old number great tell men say small every found still between name should home give
air line set own under read last never us left end along while might next below saw something thought both few those
always looked show often together asked house going want school important until form food keep children feet land side
without boy once animal enough took sometimes four head above kind began almost live page got earth need far hand high
invoice bill receipt date due total subtotal amount quantity price unit payment paid address customer order tax terms
balance statement account street description item items discount delivery shipping reference contact phone email company
please thank payable bank credit debit card net gross rate vat code office department state country city postal client
service services product products agreement contract section party parties shall hereby pursuant notice signature signed
income wages return information instructions report year month day hour days months weeks business employee employer
social security federal department application request patient doctor medical history condition policy insurance claim
certificate license registration required available including provided following within against upon whether however
general public person individual property value type status table figure appendix summary current previous change
amounts charges subject purchase sales interest benefits household check complete attach filing court case support`;

const GERMAN = `der die das und ist nicht mit für von den dem des ein eine einen einem einer eines zu auf im am bei wird
werden wurde wurden sind oder als auch nach aus zum zur bis sie wir ihr ihre ihren ihrem ihrer ihnen ich du er es vom
ohne gemäß sich an in dass daß so wie man nur noch um aber über haben hat hatte kann können könnte muss müssen soll sollen
darf dürfen wenn weil durch gegen unter zwischen vor seit mehr sehr hier dort dann da schon immer wieder kein keine keinen
keiner war waren sein seine seiner ihm ihn uns unser unsere unserer euch mich mir was wer wo warum welche welcher welches
dieser diese dieses diesem diesen jeder jede jedes alle alles viel viele andere anderen sowie bzw damit dabei dazu davon
daher bereits ab je pro etwa beim ins zwei drei vier erste ersten neue neuen ganz gut heute jahr jahre jahren tag tage
rechnung datum betrag summe gesamt gesamtbetrag nummer beschreibung bezeichnung menge preis einzelpreis zahlung kunde
kunden kundennummer bestellung mwst ust netto brutto zahlbar konto straße seite artikel lieferung lieferschein versand
rabatt steuer steuernummer umsatzsteuer mehrwertsteuer bank bankverbindung überweisung fällig frist tagen monat monate
monatlich vertrag vertrags leistung leistungen leistungszeitraum firma geschäftsführer sitz amtsgericht handelsregister
telefon mail anschrift name vorname geburtsdatum ort land stadt unterschrift antrag angaben bitte danke dank freundlichen
grüßen sehr geehrte damen herren betreff anlage anlagen versicherung arzt patient einkommen familie kinder kind person
personen wohnung miete kosten höhe wert art stück stunden uhr zeit arbeit arbeitgeber unternehmen gesellschaft abschnitt
absatz gesetz recht verfahren gericht erklärung hinweis hinweise folgende folgenden vorliegend soweit insbesondere`;

const FRENCH = `le la les et des du de un une est pour dans que qui sur par avec au aux ce cet cette ces ne pas vous nous
votre vos notre nos ou où sont plus en été être à sous il elle ils elles on je tu se sa son ses leur leurs mais donc si
tout tous toute toutes comme fait faire peut peuvent doit doivent avoir avait ont a y même aussi bien sans très entre
après avant depuis pendant chez vers contre jusque dont quand alors ainsi autre autres deux trois quatre premier première
nouveau nouvelle ans an année jour jours mois heure temps lieu moins encore ici là car non oui chaque selon lors afin
facture date montant total numéro description désignation quantité prix unitaire paiement client commande tva échéance
adresse compte règlement rue page article livraison remise taxe taxes hors ht ttc banque virement siret siren société
capital registre commerce téléphone courriel nom prénom ville pays code postal signature demande merci veuillez agréer
madame monsieur objet référence conditions générales vente contrat prestation prestations service services droit droits
loi assurance médecin patient revenu revenus famille enfant enfants personne personnes logement loyer coût valeur type
nombre travail employeur entreprise chapitre section tribunal déclaration renseignements suivant suivante suivants
présent présente cas être partie parties état ministère cadre exercice période reçu acompte solde dû pénalités retard`;

const SPANISH = `el la los las y de del un una unos unas que en por para con no se su sus al es lo como más o este esta
estos estas son sin ha han está están nuestro nuestra usted ustedes fecha a ante bajo desde entre hacia hasta según sobre
tras pero si sí ya muy también cuando donde quien quienes cual cuales todo toda todos todas otro otra otros otras mismo
misma fue ser era eran hay hace hacer puede pueden debe deben tiene tienen haber sido cada uno dos tres cuatro primero
primera nuevo nueva año años mes meses día días hora horas tiempo lugar menos aquí así porque le les me te nos mi yo él
ella ellos esto eso ese esa esos durante después antes parte partes siempre nunca mucho muchos poco
factura importe total número descripción cantidad precio unitario pago cliente pedido iva vencimiento dirección cuenta
calle página artículo entrega descuento impuesto impuestos base imponible banco transferencia empresa sociedad registro
teléfono correo nombre apellido apellidos ciudad país código postal firma solicitud gracias estimado señor señora asunto
referencia condiciones generales venta contrato servicio servicios derecho derechos ley seguro médico paciente ingresos
familia hijo hijos persona personas vivienda alquiler coste costo valor tipo trabajo empleador sección juzgado declaración
datos siguiente siguientes presente caso estado ministerio período recibo saldo producto productos mesa salud identidad`;

const DUTCH = `de het een en van is op te dat niet met voor zijn aan in bij ook door naar wordt uit of als u uw wij deze
om tot worden heeft geen maar kunt er die dan dit nog wel zich over onder tussen tegen zonder na sinds meer zeer hier daar
toen al altijd weer waren was had hebben hun hem haar hij zij ze we ik je jij jouw ons onze wat wie waar waarom welke
elke alle alles veel andere anderen zoals omdat indien kan kunnen moet moeten mag mogen zal zullen zou zouden worden
werd werden twee drie vier eerste nieuwe goed vandaag jaar jaren dag dagen per sinds reeds daarom hierbij betreft
factuur factuurdatum factuurnummer datum bedrag totaal nummer omschrijving aantal prijs stuks betaling klant klantnummer
bestelling btw subtotaal vervaldatum adres rekening straat pagina artikel levering verzending korting belasting bank
overschrijving rekeningnummer bedrijf kamer koophandel telefoon naam voornaam plaats land stad postcode handtekening
aanvraag gegevens alstublieft dank vriendelijke groet groeten geachte heer mevrouw onderwerp bijlage verzekering arts
patiënt inkomen gezin kinderen kind persoon personen woning huur kosten hoogte waarde soort uur uren tijd werk werkgever
onderneming afdeling lid wet recht rechtbank verklaring volgende overeenkomst diensten dienst voorwaarden algemene
maand maanden termijn betalen ontvangen excl incl nederland volgens gebruik bedoeld verplicht`;

/** A little of the neighbours, so that their pairs of letters are known: an encoding is not wrong for being Polish. */
const NEIGHBOURS = `il lo gli di del della che con non si alla da è come nel nella questo dalle anche fattura numero
importo totale pagamento cliente indirizzo scadenza contratto società data
os as dos das em um uma não mais seu sua pelo pela são também até isso ele entre era depois sem mesmo fatura número valor
pagamento cliente endereço vencimento contrato empresa nota fiscal
się nie jest na do od że jak po przez oraz dla przy który która które jego już tylko przed faktura data kwota razem numer
płatności termin sprzedaży nabywca sprzedawca zł adres umowa usługi wartość wszystkie przedsiębiorstwo
je že se která který jsou jako pro nebo podle byl však při může faktura číslo datum splatnosti částka celkem odběratel
dodavatel smlouva adresa společnost cena množství
och att det som för av med är inte till den på ett har kan eller från vid faktura datum belopp summa kund betalning adress
avtal bolag og ikke til av fra skal være etter dato beløp kunde betaling avtale selskap blev hvis
ja on ei se että kun mutta myös tai ovat oli hän niin kuin lasku päivämäärä summa yhteensä asiakas maksu osoite sopimus
yhtiö määrä hinta kuuluu kaikki tämä
ve bir bu için ile olarak daha gibi kadar sonra veya olan fatura tarih tutar toplam müşteri ödeme adres sözleşme şirket
numarası değil ürün hizmet
i u je na se da su za od kao koji koja koje ali biti račun datum iznos ukupno kupac plaćanje adresa ugovor društvo prema
sljedeći njihov cijena između
és a az hogy nem egy is meg van volt csak mint vagy kell számla dátum összeg vevő fizetés cím szerződés társaság érték
minden között szolgáltatás
și în la cu pe este din nu sunt pentru care sau prin mai fi factură dată sumă client plată adresă contract societate
yn y yr ac i o a ar am gan sydd mae ei eu hyn wedi bod gyfer cyfanswm dyddiad cyfeiriad cwsmer taliad rhif llywodraeth
ddydd mewn chwaraeon gwasanaeth wrth
và của là có được cho các trong không người với này những một hóa đơn ngày tổng khách hàng thanh toán
yang dan di dengan untuk pada dari ini itu tidak dalam akan faktur tanggal jumlah pelanggan pembayaran alamat`;

const listed = [ENGLISH, GERMAN, FRENCH, SPANISH, DUTCH, NEIGHBOURS].flatMap((words) => words.split(/\s+/));

export const LEXICON: ReadonlySet<string> = new Set(listed);
