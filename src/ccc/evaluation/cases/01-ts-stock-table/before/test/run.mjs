// The sources only use erasable annotations, so the tests strip them and need no build.
import { readFileSync, writeFileSync } from "node:fs";

const here = new URL(".", import.meta.url);
const source = readFileSync(new URL("../src/reports.ts", here), "utf8")
  .replace(/^export interface \w+ \{[^}]*\}\n/gm, "")
  .replace(/^export type .*;\n/gm, "")
  .replace(/\??: (?:string|number|boolean|Column|Row)(?:\[\])*/g, "");
const reports = await import("data:text/javascript," + encodeURIComponent(source));

const rows = [
  { article: "Hex bolt M8", price: "0.12", count: "1400", bin: "A-03" },
  { article: "Washer", price: "0.02", count: "25", bin: "A-117" },
  { article: "Cordless drill", price: "129.00", count: "4", bin: "C-1" },
];

let failed = 0;
for (const [name, render] of [["stock", reports.stockReport], ["picking", reports.pickingList]]) {
  const file = new URL(`snapshots/${name}.txt`, here);
  const got = render(rows);
  if (process.argv.includes("--update")) writeFileSync(file, got);
  const ok = readFileSync(file, "utf8") === got;
  console.log(ok ? "ok  " : "FAIL", name);
  if (!ok) failed++;
}
process.exit(failed ? 1 : 0);
