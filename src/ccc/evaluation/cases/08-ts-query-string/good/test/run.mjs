// The source only has erasable annotations; strip them so that the tests need no build.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

const source = readFileSync(new URL("../src/query.ts", import.meta.url), "utf8")
  .replace(/^export type .*;\n/gm, "")
  .replace(/: (?:string|void|Query)(?:\[\])?/g, "");
const { parse, stringify } = await import("data:text/javascript," + encodeURIComponent(source));

const tests = [
  ["plain", parse("?a=1&b=2"), { a: "1", b: "2" }],
  ["no value", parse("a&b="), { a: "", b: "" }],
  ["escapes", parse("sum=1%2B1&name=M%C3%BCller"), { sum: "1+1", name: "Müller" }],
  ["repeated key", parse("tag=red&tag=blue&tag=red"), { tag: ["red", "blue", "red"] }],
  ["plus", parse("q=two+words"), { q: "two words" }],
  ["stringify array", stringify({ tag: ["red", "blue"], n: "1" }), "tag=red&tag=blue&n=1"],
  ["stringify", stringify({ a: "1", q: "x y" }), "a=1&q=x%20y"],
];

let failed = 0;
for (const [name, got, want] of tests) {
  const ok = isDeepStrictEqual(got, want);
  console.log(ok ? "ok  " : "FAIL", name, ok ? "" : JSON.stringify(got));
  if (!ok) failed++;
}
process.exit(failed ? 1 : 0);
