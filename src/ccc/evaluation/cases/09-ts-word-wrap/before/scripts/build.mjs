// The source only has erasable annotations; removing them is the whole build.
import { readFileSync, writeFileSync } from "node:fs";

const source = readFileSync(new URL("../src/wrap.ts", import.meta.url), "utf8");
const built = source.replace(/: (?:string|number)(?:\[\])*/g, "");
writeFileSync(new URL("../dist/wrap.js", import.meta.url), built);
console.log("dist/wrap.js", built.length, "bytes");
