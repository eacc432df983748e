export interface Column {
  key: string;
  title: string;
}

export type Row = Record<string, string>;

export function renderTable(columns: Column[], rows: Row[]): string {
  const cell = (row: Row, key: string) => row[key] ?? "";
  const widths = columns.map((c) => Math.max(c.title.length, ...rows.map((r) => cell(r, c.key).length)));
  const line = (cells: string[]) => cells.map((text, i) => text.padEnd(widths[i])).join("  ") + "\n";
  let out = line(columns.map((c) => c.title));
  out += line(widths.map((w) => "-".repeat(w)));
  for (const row of rows) out += line(columns.map((c) => cell(row, c.key)));
  return out;
}

export function stockReport(rows: Row[]): string {
  return renderTable(
    [
      { key: "article", title: "Article" },
      { key: "price", title: "Price" },
      { key: "count", title: "Count" },
    ],
    rows,
  );
}

export function pickingList(rows: Row[]): string {
  return renderTable(
    [
      { key: "article", title: "Article" },
      { key: "bin", title: "Bin" },
    ],
    rows,
  );
}
