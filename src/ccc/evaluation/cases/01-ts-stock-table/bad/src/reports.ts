export interface Column {
  key: string;
  title: string;
  align?: "left" | "right";
}

export type Row = Record<string, string>;

export function renderTable(columns: Column[], rows: Row[]): string {
  const cell = (row: Row, key: string) => row[key] ?? "";
  const widths = columns.map((c) => Math.max(c.title.length, ...rows.map((r) => cell(r, c.key).length)));
  const pad = (text: string, i: number) =>
    columns[i].align === "right" ? text.padStart(widths[i]) : text.padEnd(widths[i]);
  const line = (cells: string[]) => cells.map(pad).join("  ").trimEnd() + "\n";
  let out = line(columns.map((c) => c.title));
  out += line(widths.map((w) => "-".repeat(w)));
  for (const row of rows) out += line(columns.map((c) => cell(row, c.key)));
  return out;
}

export function stockReport(rows: Row[]): string {
  return renderTable(
    [
      { key: "article", title: "Article" },
      { key: "price", title: "Price", align: "right" },
      { key: "count", title: "Count", align: "right" },
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
