import { readFileSync } from "node:fs";

const source = readFileSync("src/sketch.ts", "utf8")
  .replace(/\b(private|readonly|public) /g, "")
  .replace(/: (?:string|number|boolean|void)(?:\[\])*/g, "");
const { Sketch } = await import("data:text/javascript," + encodeURIComponent(source));
const bad = [];
const same = (what, got, want) => { if (JSON.stringify(got) !== JSON.stringify(want)) bad.push(`${what}: ${JSON.stringify(got)}, wanted ${JSON.stringify(want)}`); };
const s = new Sketch();
s.undo(); s.redo();
same("empty", [s.shapes, s.canUndo, s.canRedo], [[], false, false]);
s.add("a"); s.add("b"); s.undo();
same("after undo", [s.shapes, s.canRedo], [["a"], true]);
s.redo();
same("after redo", s.shapes, ["a", "b"]);
s.undo(); s.undo(); s.add("c");
same("change after undo", [s.shapes, s.canRedo], [["c"], false]);
s.redo();
same("redo after a change", s.shapes, ["c"]);
s.undo();
same("undo of it", s.shapes, []);
const t = new Sketch();
for (let i = 0; i < 130; i++) t.add("x");
let n = 0;
while (t.canUndo && n < 1000) { t.undo(); n++; }
same("steps", n, 100);
console.log(bad.join("\n"));
process.exit(bad.length ? 1 : 0);
