// Strips annotations and local imports, puts the sources together and runs the cases.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";

let source = "";
for (const name of ["retry", "import"]) {
  const file = new URL(`../src/${name}.ts`, import.meta.url);
  if (existsSync(file)) source += readFileSync(file, "utf8");
}
source = source
  .replace(/^import .* from "\.\/.*";\n/gm, "")
  .replace(/^(export )?interface \w+ \{[^}]*\}\n/gm, "")
  .replace(/^(export )?type .*;\n/gm, "")
  .replace(/\??: (?:GetPage|Task|RetryOptions|string|number|unknown)(?:\[\])*/g, "");
const lib = await import("data:text/javascript," + encodeURIComponent(source));

const cases = {
  "collects pages until an empty one": async () => {
    const pages = [["a", "b"], ["c"], []];
    assert.deepEqual(await lib.fetchAll(async (n) => pages[n - 1]), ["a", "b", "c"]);
  },
};

let failed = 0;
for (const [name, run] of Object.entries(cases)) {
  try { await run(); console.log("ok  ", name); } catch (e) { failed++; console.log("FAIL", name, e.message); }
}
process.exit(failed ? 1 : 0);
