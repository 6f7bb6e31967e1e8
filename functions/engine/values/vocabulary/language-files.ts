/** The files of all languages, in their order. `npm run generate` writes this file. */
import da from "./da.json" with { type: "json" };
import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import it from "./it.json" with { type: "json" };
import nl from "./nl.json" with { type: "json" };
import no from "./no.json" with { type: "json" };
import pl from "./pl.json" with { type: "json" };
import pt from "./pt.json" with { type: "json" };
import ro from "./ro.json" with { type: "json" };
import sv from "./sv.json" with { type: "json" };

export const LANGUAGE_FILES = { en, de, fr, es, nl, it, pt, pl, ro, sv, da, no };
