// 去掉类型标注后直接运行源文件。
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const source = readFileSync(new URL("../src/validate.ts", import.meta.url), "utf8")
  .replace(/^(export )?interface \w+ \{[^}]*\}\n/gm, "")
  .replace(/: (?:SignupForm|string|boolean)(?:\[\])*/g, "");
const { validate } = await import("data:text/javascript," + encodeURIComponent(source));

const fine = { username: "li_lei", password: "mima2026", confirm: "mima2026", phone: "13800001111" };
const cases = {
  "全部正确": () => assert.deepEqual(validate(fine), []),
  "用户名为空": () => assert.equal(validate({ ...fine, username: "" }).length, 1),
};

let failed = 0;
for (const [name, run] of Object.entries(cases)) {
  try { run(); console.log("ok  ", name); } catch (e) { failed++; console.log("FAIL", name, e.message); }
}
process.exit(failed ? 1 : 0);
