import { readFileSync } from "node:fs";

const strip = (text) => text.replace(/: (?:string|number)(?:\[\])*/g, "");
const load = (text) => import("data:text/javascript," + encodeURIComponent(text));
const source = strip(readFileSync("src/wrap.ts", "utf8"));
const dist = readFileSync("dist/wrap.js", "utf8");
const bad = [];
if (dist !== source) bad.push("dist/wrap.js isn't built from src/wrap.ts");
if (/lastIndexOf/.test(source)) bad.push("src/wrap.ts is not rewritten");
const tests = [
  ["two words", 20, "two words"],
  ["the quick brown fox", 10, "the quick\nbrown fox"],
  ["the quick brown fox", 9, "the quick\nbrown fox"],
  ["abcde fghij", 5, "abcde\nfghij"],
  ["abcde fghij", 11, "abcde fghij"],
  ["a incomprehensible b", 6, "a\nincomprehensible\nb"],
  ["one\n\ntwo  three", 20, "one\n\ntwo three"],
  ["", 5, ""],
];
for (const [where, text] of [["src", source], ["dist", dist]]) {
  const { wrap } = await load(text);
  for (const [arg, width, want] of tests) {
    const got = wrap(arg, width);
    if (got !== want) bad.push(`${where}: wrap(${JSON.stringify(arg)}, ${width}) = ${JSON.stringify(got)}, wanted ${JSON.stringify(want)}`);
  }
}
console.log(bad.join("\n"));
process.exit(bad.length ? 1 : 0);
