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

const failing = (times, error = new Error("503")) => {
  let calls = 0;
  return async () => { if (calls++ < times) throw error; return calls; };
};

const cases = {
  "collects pages until an empty one": async () => {
    const pages = [["a", "b"], ["c"], []];
    assert.deepEqual(await lib.fetchAll(async (n) => pages[n - 1]), ["a", "b", "c"]);
  },
  "tries again": async () => {
    const waits = [];
    assert.equal(await lib.withRetry(failing(2), { sleep: async (ms) => waits.push(ms) }), 3);
    assert.equal(waits.length, 2);
  },
  "gives up with the last error": async () => {
    await assert.rejects(lib.withRetry(failing(9), { attempts: 2, sleep: async () => {} }), /503/);
  },
};

let failed = 0;
for (const [name, run] of Object.entries(cases)) {
  try { await run(); console.log("ok  ", name); } catch (e) { failed++; console.log("FAIL", name, e.message); }
}
process.exit(failed ? 1 : 0);
