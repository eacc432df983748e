type GetPage = (page: number) => Promise<string[]>;

// TODO: fetch a few pages at once when the partner allows it (#12)
export async function fetchAll(getPage: GetPage) {
  const all = [];
  for (let page = 1; ; page++) {
    const items = await getPage(page);
    if (items.length === 0) return all;
    all.push(...items);
  }
}
