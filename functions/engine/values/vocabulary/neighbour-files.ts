/** The languages that bills are read in by their labels, dates and parties only: each has some members of a language file. */
import bg from "./neighbours/bg.json" with { type: "json" };
import cs from "./neighbours/cs.json" with { type: "json" };
import el from "./neighbours/el.json" with { type: "json" };
import et from "./neighbours/et.json" with { type: "json" };
import fi from "./neighbours/fi.json" with { type: "json" };
import hr from "./neighbours/hr.json" with { type: "json" };
import hu from "./neighbours/hu.json" with { type: "json" };
import id from "./neighbours/id.json" with { type: "json" };
import ja from "./neighbours/ja.json" with { type: "json" };
import lt from "./neighbours/lt.json" with { type: "json" };
import lv from "./neighbours/lv.json" with { type: "json" };
import sk from "./neighbours/sk.json" with { type: "json" };
import tr from "./neighbours/tr.json" with { type: "json" };
import uk from "./neighbours/uk.json" with { type: "json" };
import vi from "./neighbours/vi.json" with { type: "json" };
import zh from "./neighbours/zh.json" with { type: "json" };

export const NEIGHBOUR_FILES = [bg, cs, el, et, fi, hr, hu, id, ja, lt, lv, sk, tr, uk, vi, zh];
