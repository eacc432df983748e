import { withRetry } from "./retry";

type GetPage = (page: number) => Promise<string[]>;

// TODO: fetch a few pages at once when the partner allows it (#12)
export async function fetchAll(getPage: GetPage, options = {}) {
  const all = [];
  for (let page = 1; ; page++) {
    const items = await withRetry(() => getPage(page), options);
    if (items.length === 0) return all;
    all.push(...items);
  }
}
