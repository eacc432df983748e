import { readFileSync } from "node:fs";

const source = readFileSync("src/pricing.ts", "utf8")
  .replace(/^(export )?interface \w+ \{[^}]*\}\n/gm, "")
  .replace(/: (?:Plan|string|number)(?:\[\])*(?: \| null)?/g, "");
const { table, plans } = await import("data:text/javascript," + encodeURIComponent(source));
const bad = [];
const same = (what, got, want) => { if (JSON.stringify(got) !== JSON.stringify(want)) bad.push(`${what}: ${JSON.stringify(got)}, wanted ${JSON.stringify(want)}`); };
same("table(plans)", table(plans), ["Solo 7.99 81.49", "Team 24.50 249.90"]);
same("rounding", table([{ name: "X", monthly: 333 }]), ["X 3.33 33.96"]);
same("School", plans.find((p) => p.name === "School").monthly, null);
console.log(bad.join("\n"));
process.exit(bad.length ? 1 : 0);
