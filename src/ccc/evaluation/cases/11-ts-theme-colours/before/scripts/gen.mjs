import { readFileSync, writeFileSync } from "node:fs";

const colours = JSON.parse(readFileSync(new URL("../theme.json", import.meta.url), "utf8"));
let out = "export const theme = {\n";
for (const [name, value] of Object.entries(colours)) out += `  ${name}: "${value}",\n`;
out += "} as const;\n";
writeFileSync(new URL("../src/theme.ts", import.meta.url), out);
console.log(Object.keys(colours).length, "colours");
