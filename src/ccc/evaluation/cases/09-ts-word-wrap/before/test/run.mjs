import { wrap } from "../dist/wrap.js";

const tests = [
  ["short", wrap("two words", 20), "two words"],
  ["wrapped", wrap("the quick brown fox", 10), "the quick\nbrown fox"],
  ["exact line", wrap("abcde fghij", 11), "abcde fghij"],
  ["exact fit", wrap("abcde fghij", 5), "abcde\nfghij"],
  ["long word", wrap("a incomprehensible b", 6), "a\nincomprehensible\nb"],
  ["long word first", wrap("incomprehensible b", 6), "incomprehensible\nb"],
  ["lines kept", wrap("one\n\ntwo  three", 20), "one\n\ntwo three"],
];

let failed = 0;
for (const [name, got, want] of tests) {
  console.log(got === want ? "ok  " : "FAIL", name, got === want ? "" : JSON.stringify(got));
  if (got !== want) failed++;
}
process.exit(failed ? 1 : 0);
