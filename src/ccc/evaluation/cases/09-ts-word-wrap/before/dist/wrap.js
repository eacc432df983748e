export function wrap(text, width) {
  return text
    .split("\n")
    .map((line) => wrapLine(line, width))
    .join("\n");
}

function wrapLine(line, width) {
  let rest = line.trim().replace(/ +/g, " ");
  let out = "";
  while (rest.length > width) {
    let cut = rest.lastIndexOf(" ", width);
    if (cut < 0) cut = rest.indexOf(" ");
    if (cut < 0) break;
    out += rest.slice(0, cut) + "\n";
    rest = rest.slice(cut + 1);
  }
  return out + rest;
}
