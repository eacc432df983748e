import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

const source = readFileSync("src/query.ts", "utf8")
  .replace(/^export type .*;\n/gm, "")
  .replace(/: (?:string|void|Query)(?:\[\])?/g, "");
const { parse, stringify } = await import("data:text/javascript," + encodeURIComponent(source));
const bad = [];
for (const [text, want] of [
  ["?a=1&b=2", { a: "1", b: "2" }],
  ["a=1%2B1", { a: "1+1" }],
  ["tel=%2B49+30", { tel: "+49 30" }],
  ["a=x=y", { a: "x=y" }],
  ["t=1&t=2&t=3&u=", { t: ["1", "2", "3"], u: "" }],
]) {
  const got = parse(text);
  if (!isDeepStrictEqual(got, want)) bad.push(`parse(${text}) = ${JSON.stringify(got)}, wanted ${JSON.stringify(want)}`);
}
if (stringify({ t: ["1", "2"], u: "a+b" }) !== "t=1&t=2&u=a%2Bb") bad.push("stringify: " + stringify({ t: ["1", "2"], u: "a+b" }));
if (!/function decode\b|decode\s*=/.test(source)) bad.push("no decode()");
console.log(bad.join("\n"));
process.exit(bad.length ? 1 : 0);
