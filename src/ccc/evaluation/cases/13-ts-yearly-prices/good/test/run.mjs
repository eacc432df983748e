import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const source = readFileSync(new URL("../src/pricing.ts", import.meta.url), "utf8")
  .replace(/^export interface \w+ \{[^}]*\}\n/gm, "")
  .replace(/: (?:Plan|string|number)(?:\[\])*(?: \| null)?/g, "");
const lib = await import("data:text/javascript," + encodeURIComponent(source));

const cases = {
  "monthly": () => assert.match(lib.table([{ name: "Solo", monthly: 799 }])[0], /^Solo 7\.99/),
  "yearly, rounded down": () => assert.deepEqual(lib.table([{ name: "Solo", monthly: 799 }]), ["Solo 7.99 81.49"]),
  "undecided plans are left out": () => assert.deepEqual(lib.table([{ name: "School", monthly: null }]), []),
};

let failed = 0;
for (const [name, run] of Object.entries(cases)) {
  try { run(); console.log("ok  ", name); } catch (e) { failed++; console.log("FAIL", name, e.message); }
}
process.exit(failed ? 1 : 0);
