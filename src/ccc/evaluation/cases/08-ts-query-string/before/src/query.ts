export type Query = Record<string, string>;

export function parse(text: string): Query {
  const out: Query = {};
  const body = text.startsWith("?") ? text.slice(1) : text;
  for (const part of body.split("&")) {
    if (part === "") continue;
    const at = part.indexOf("=");
    const key = decodeURIComponent(at < 0 ? part : part.slice(0, at));
    const value = at < 0 ? "" : decodeURIComponent(part.slice(at + 1));
    out[key] = value;
  }
  return out;
}

export function stringify(query: Query): string {
  return Object.keys(query)
    .map((key) => encodeURIComponent(key) + "=" + encodeURIComponent(query[key]))
    .join("&");
}
