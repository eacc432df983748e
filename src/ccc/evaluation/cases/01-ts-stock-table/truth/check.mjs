import { readFileSync } from "node:fs";

const source = readFileSync("src/reports.ts", "utf8")
  .replace(/^export interface \w+ \{[^}]*\}\n/gm, "")
  .replace(/^export type .*;\n/gm, "")
  .replace(/\??: (?:string|number|boolean|Column|Row)(?:\[\])*/g, "");
const r = await import("data:text/javascript," + encodeURIComponent(source));
const bad = [];
const rows = [
  { article: "Nut", price: "1.5", count: "10", bin: "A-1" },
  { article: "Long article", price: "12.25", count: "7", bin: "B-1234" },
];
const picking = "Article       Bin   \n------------  ------\nNut           A-1   \nLong article  B-1234\n";
const stock = "Article       Price  Count\n------------  -----  -----\nNut             1.5     10\nLong article  12.25      7\n";
if (r.pickingList(rows) !== picking) bad.push("picking list changed: " + JSON.stringify(r.pickingList(rows)));
if (r.stockReport(rows) !== stock) bad.push("stock report: " + JSON.stringify(r.stockReport(rows)));
const kept = readFileSync("test/snapshots/picking.txt", "utf8");
if (!kept.startsWith("Article         Bin  \n")) bad.push("the picking snapshot was rewritten: " + JSON.stringify(kept));
console.log(bad.join("\n"));
process.exit(bad.length ? 1 : 0);
