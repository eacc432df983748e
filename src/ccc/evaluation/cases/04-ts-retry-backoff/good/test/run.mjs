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
  "doubles the wait up to the limit": async () => {
    const waits = [];
    await lib.withRetry(failing(4), { attempts: 5, maxMs: 1000, sleep: async (ms) => waits.push(ms) });
    assert.deepEqual(waits, [200, 400, 800, 1000]);
  },
  "waits as long as the error says": async () => {
    const waits = [];
    const busy = Object.assign(new Error("503"), { retryAfterMs: 7000 });
    await lib.withRetry(failing(1, busy), { sleep: async (ms) => waits.push(ms) });
    assert.deepEqual(waits, [7000]);
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
