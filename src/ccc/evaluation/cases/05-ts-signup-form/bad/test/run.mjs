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
  "用户名以数字开头": () => assert.match(validate({ ...fine, username: "9lives" })[0], /用户名/),
  "用户名太长": () => assert.match(validate({ ...fine, username: "a".repeat(17) })[0], /用户名/),
  "密码太短": () => assert.match(validate({ ...fine, password: "a1", confirm: "a1" })[0], /8 位/),
  "密码只有字母": () => assert.match(validate({ ...fine, password: "abcdefgh", confirm: "abcdefgh" })[0], /字母和数字/),
  "两次密码不一致": () => assert.match(validate({ ...fine, confirm: "mima2027" })[0], /不一致/),
  "手机号": () => assert.match(validate({ ...fine, phone: "2380000111" })[0], /手机号/),
  "一次返回全部错误": () => assert.equal(validate({ username: "", password: "", confirm: "x", phone: "" }).length, 4),
};

let failed = 0;
for (const [name, run] of Object.entries(cases)) {
  try { run(); console.log("ok  ", name); } catch (e) { failed++; console.log("FAIL", name, e.message); }
}
process.exit(failed ? 1 : 0);
