import { readFileSync } from "node:fs";

const source = ["retry", "import"].map((n) => readFileSync(`src/${n}.ts`, "utf8")).join("")
  .replace(/^import .* from "\.\/.*";\n/gm, "")
  .replace(/^(export )?interface \w+ \{[^}]*\}\n/gm, "")
  .replace(/^(export )?type .*;\n/gm, "")
  .replace(/\??: (?:GetPage|Task|RetryOptions|string|number|unknown)(?:\[\])*/g, "");
const lib = await import("data:text/javascript," + encodeURIComponent(source));
const bad = [];
const waitsOf = async (errors, options) => {
  const waits = [], queue = [...errors];
  await lib.withRetry(async () => { if (queue.length) throw queue.shift(); }, { ...options, sleep: async (ms) => { waits.push(ms); } }).catch(() => waits.push("gave up"));
  return waits.join(",");
};
const e = () => new Error("503");
const check = (what, got, want) => { if (got !== want) bad.push(`${what}: waited ${got}, wanted ${want}`); };
check("three failures", await waitsOf([e(), e(), e()], {}), "200,400,800");
check("the cap", await waitsOf([e(), e(), e()], { baseMs: 100, maxMs: 250 }), "100,200,250");
check("retryAfterMs", await waitsOf([Object.assign(e(), { retryAfterMs: 1234 })], {}), "1234");
check("four tries by default", await waitsOf([e(), e(), e(), e()], {}), "200,400,800,gave up");
console.log(bad.join("\n"));
process.exit(bad.length ? 1 : 0);
