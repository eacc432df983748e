export function wrap(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => wrapLine(line, width))
    .join("\n");
}

// One pass over the words; no string is cut up or searched twice.
function wrapLine(line: string, width: number): string {
  const out: string[] = [];
  let length = 0;
  for (const word of line.trim().split(/ +/)) {
    const fits = length + word.length < width;
    out.push(length === 0 ? "" : fits ? " " : "\n");
    if (!fits) length = 0;
    out.push(word);
    length += word.length + 1;
  }
  return out.join("");
}
