export type Query = Record<string, string | string[]>;

function decode(text: string): string {
  return decodeURIComponent(text.replace(/\+/g, " "));
}

function append(query: Query, key: string, value: string): void {
  const old = query[key];
  if (old === undefined) query[key] = value;
  else if (Array.isArray(old)) old.push(value);
  else query[key] = [old, value];
}

export function parse(text: string): Query {
  const out: Query = {};
  for (const part of text.replace(/^\?/, "").split("&")) {
    if (part === "") continue;
    const [key, ...rest] = part.split("=");
    append(out, decode(key), decode(rest.join("=")));
  }
  return out;
}

export function stringify(query: Query): string {
  const pair = (key: string, value: string) => encodeURIComponent(key) + "=" + encodeURIComponent(value);
  return Object.keys(query)
    .flatMap((key) => [query[key]].flat().map((value) => pair(key, value)))
    .join("&");
}
