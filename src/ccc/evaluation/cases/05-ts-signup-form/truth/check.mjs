import { readFileSync } from "node:fs";

const source = readFileSync("src/validate.ts", "utf8")
  .replace(/^(export )?(interface \w+|type \w+ =) \{[^}]*\};?\n/gm, "")
  .replace(/: (?:SignupForm|string|boolean)(?:\[\]| \| null| \| undefined)*/g, "");
const { validate } = await import("data:text/javascript," + encodeURIComponent(source));
const fine = { username: "li_lei", password: "mima2026", confirm: "mima2026", phone: "13800001111" };
const bad = [];
const count = (what, change, want) => {
  const got = validate({ ...fine, ...change });
  if (got.length !== want) bad.push(`${what}: ${JSON.stringify(got)}, wanted ${want} error(s)`);
};
count("fine", {}, 0);
count("digit first", { username: "9lives" }, 1);
count("too short", { username: "ab" }, 1);
count("too long", { username: "a".repeat(17) }, 1);
count("short password", { password: "a1", confirm: "a1" }, 1);
count("letters only", { password: "abcdefgh", confirm: "abcdefgh" }, 1);
count("password has the user name", { password: "li_lei2026", confirm: "li_lei2026" }, 1);
count("password has the user name in capitals", { password: "2026LI_LEI", confirm: "2026LI_LEI" }, 1);
count("confirm", { confirm: "mima2027" }, 1);
count("phone", { phone: "23800001111" }, 1);
count("all", { username: "1", password: "", confirm: "x", phone: "" }, 4);
console.log(bad.join("\n"));
process.exit(bad.length ? 1 : 0);
