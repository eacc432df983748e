// Text colours need a contrast of 4.5 on the background.
import { readFileSync } from "node:fs";

const source = readFileSync(new URL("../src/theme.ts", import.meta.url), "utf8").replace(" as const", "");
const { theme } = await import("data:text/javascript," + encodeURIComponent(source));

const light = (hex) => {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
  const [hi, lo] = [light(a), light(b)].sort((x, y) => y - x);
  return (hi + 0.05) / (lo + 0.05);
};

let failed = 0;
for (const [name, value] of Object.entries(theme)) {
  if (name === "background") continue;
  const c = contrast(value, theme.background);
  console.log(c >= 4.5 ? "ok  " : "FAIL", name, c.toFixed(2));
  if (c < 4.5) failed++;
}
process.exit(failed ? 1 : 0);
