// The source only has erasable annotations; strip them so that the tests need no build.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const source = readFileSync(new URL("../src/drafts.ts", import.meta.url), "utf8")
  .replace(/^export interface \w+ \{[^}]*\}\n/gm, "")
  .replace(/: (?:string|number|boolean|void|unknown|Store|Draft)(?:\[\])?(?: \| null)?(?=[,) ;])/g, "");
const { saveDraft, loadDraft } = await import("data:text/javascript," + encodeURIComponent(source));

// A store with room for `room` entries.
function fakeStore(room, entries = {}) {
  const map = new Map(Object.entries(entries));
  return {
    getItem: (key) => map.get(key) ?? null,
    removeItem: (key) => void map.delete(key),
    keys: () => [...map.keys()],
    setItem(key, value) {
      if (!map.has(key) && map.size >= room) {
        throw Object.assign(new Error("storage is full"), { name: "QuotaExceededError" });
      }
      map.set(key, value);
    },
  };
}

const tests = {
  "save and load"() {
    const store = fakeStore(5);
    saveDraft(store, "1", "hello", 10);
    assert.deepEqual(loadDraft(store, "1"), { text: "hello", saved: 10 });
    assert.equal(loadDraft(store, "2"), null);
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    test();
    console.log("ok  ", name);
  } catch (error) {
    failed++;
    console.log("FAIL", name, error.message);
  }
}
process.exit(failed ? 1 : 0);
