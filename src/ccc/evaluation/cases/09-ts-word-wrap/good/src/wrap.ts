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
    if (out.length > 0) {
      const fits = length + 1 + word.length <= width;
      out.push(fits ? " " : "\n");
      length = fits ? length + 1 : 0;
    }
    out.push(word);
    length += word.length;
  }
  return out.join("");
}
