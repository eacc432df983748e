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
  "undo and redo": () => {
    const s = new Sketch();
    s.add("line");
    s.clear();
    s.undo();
    assert.deepEqual(s.shapes, ["line"]);
    s.undo();
    assert.deepEqual(s.shapes, []);
    s.redo();
    s.redo();
    assert.deepEqual(s.shapes, []);
    assert.equal(s.canRedo, false);
  },
  "nothing to undo or redo": () => {
    const s = new Sketch();
    s.undo();
    s.redo();
    assert.deepEqual([s.shapes, s.canUndo, s.canRedo], [[], false, false]);
  },
  "a new change drops what could be redone": () => {
    const s = new Sketch();
    s.add("line");
    s.undo();
    s.add("circle");
    assert.equal(s.canRedo, false);
    s.redo();
    assert.deepEqual(s.shapes, ["circle"]);
  },
  "a hundred steps": () => {
    const s = new Sketch();
    for (let i = 0; i < 150; i++) s.add("dot");
    let steps = 0;
    for (; s.canUndo; steps++) s.undo();
    assert.equal(steps, 100);
  },
};

let failed = 0;
for (const [name, run] of Object.entries(cases)) {
  try { run(); console.log("ok  ", name); } catch (e) { failed++; console.log("FAIL", name, e.message); }
}
process.exit(failed ? 1 : 0);
