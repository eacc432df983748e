import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const source = readFileSync(new URL("../src/sketch.ts", import.meta.url), "utf8")
  .replace(/\bprivate /g, "")
  .replace(/: (?:string|number|boolean|void)(?:\[\])*/g, "");
const { Sketch } = await import("data:text/javascript," + encodeURIComponent(source));

const cases = {
  "add and clear": () => {
    const s = new Sketch();
    s.add("line");
    s.add("circle");
    assert.deepEqual(s.shapes, ["line", "circle"]);
    s.clear();
    assert.deepEqual(s.shapes, []);
  },
};

let failed = 0;
for (const [name, run] of Object.entries(cases)) {
  try { run(); console.log("ok  ", name); } catch (e) { failed++; console.log("FAIL", name, e.message); }
}
process.exit(failed ? 1 : 0);
