import { readFileSync } from "node:fs";

const source = readFileSync("src/drafts.ts", "utf8")
  .replace(/^export interface \w+ \{[^}]*\}\n/gm, "")
  .replace(/: (?:string|number|boolean|void|unknown|Store|Draft)(?:\[\])?(?: \| null)?(?=[,) ;])/g, "");
const { saveDraft, loadDraft } = await import("data:text/javascript," + encodeURIComponent(source));
const bad = [];
function store(bytes, entries = {}, failure = "QuotaExceededError") {
  const map = new Map(Object.entries(entries));
  return {
    map,
    getItem: (k) => map.get(k) ?? null,
    removeItem: (k) => void map.delete(k),
    keys: () => [...map.keys()],
    setItem(k, v) {
      const used = [...map].filter(([key]) => key !== k).reduce((n, [, value]) => n + value.length, 0);
      if (used + v.length > bytes) throw Object.assign(new Error("full"), { name: failure });
      map.set(k, v);
    },
  };
}
const thrown = (f) => { try { f(); return null; } catch (e) { return e.name; } };
const d = (text, saved) => JSON.stringify({ text, saved });
let s = store(1000);
saveDraft(s, "1", "hi", 5);
if (loadDraft(s, "1")?.text !== "hi") bad.push("save and load");
s = store(10, { theme: "dark" });
if (thrown(() => saveDraft(s, "1", "a long text", 1)) !== "QuotaExceededError") bad.push("no room and no drafts to drop: saveDraft doesn't throw, the text is lost silently");
s = store(80, { "draft:a": d("x".repeat(10), 1), "draft:b": d("y".repeat(10), 2) });
if (thrown(() => saveDraft(s, "c", "z".repeat(45), 3)) !== null || !s.map.has("draft:c")) bad.push("not saved though dropping both old drafts makes room");
s = store(10, { "draft:a": "" }, "SecurityError");
if (thrown(() => saveDraft(s, "c", "zzz", 3)) !== "SecurityError") bad.push("another error (SecurityError) is swallowed");
s = store(100, { "draft:1": '{"te' });
if (thrown(() => loadDraft(s, "1")) !== null || s.map.size) bad.push("damaged draft");
console.log(bad.join("\n"));
process.exit(bad.length ? 1 : 0);
