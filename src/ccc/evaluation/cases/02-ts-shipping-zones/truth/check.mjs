import { readFileSync, writeFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const source = readFileSync("src/quote.ts", "utf8")
  .replace(/^(export )?interface \w+ \{[^}]*\}\n/gm, "")
  .replace(/^(export )?type .*;\n/gm, "")
  .replace(/\??: (?:string|number|boolean|Zones|Zone)(?:\[\])*/g, "");
const { quote } = await import("data:text/javascript," + encodeURIComponent(source));
const other = join(mkdtempSync(join(tmpdir(), "zones-")), "z.json");
writeFileSync(other, JSON.stringify({ home: { base: 5, includedGrams: 1000, perKg: 2 }, island: { base: 11, includedGrams: 500, perKg: 3 } }));
const bad = [];
const expect = (want, ...args) => {
  let got;
  try { got = quote(...args); } catch (e) { got = "threw " + e.message; }
  if (got !== want) bad.push(`quote(${args.slice(0, 2)}) with another price list: ${got}, wanted ${want}`);
};
expect(5, "home", 900, other);
expect(9, "home", 2500, other);
expect(14, "island", 600, other);
expect(3.9, "home", 2000);
expect(27, "overseas", 501);
try { quote("moon", 10, other); bad.push("unknown zone accepted"); } catch {}
console.log(bad.join("\n"));
process.exit(bad.length ? 1 : 0);
