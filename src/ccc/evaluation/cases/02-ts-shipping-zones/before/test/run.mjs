// Strips the annotations (no build needed) and runs the cases below.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const source = readFileSync(new URL("../src/quote.ts", import.meta.url), "utf8")
  .replace(/^(export )?interface \w+ \{[^}]*\}\n/gm, "")
  .replace(/^(export )?type .*;\n/gm, "")
  .replace(/\??: (?:string|number|boolean|Zones|Zone)(?:\[\])*/g, "");
const { quote } = await import("data:text/javascript," + encodeURIComponent(source));

const cases = {
  "refuses a weight of zero": () => assert.throws(() => quote("home", 0), RangeError),
};

let failed = 0;
for (const [name, run] of Object.entries(cases)) {
  try { run(); console.log("ok  ", name); } catch (e) { failed++; console.log("FAIL", name, e.message); }
}
process.exit(failed ? 1 : 0);
