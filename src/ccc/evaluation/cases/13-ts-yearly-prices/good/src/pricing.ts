export interface Plan {
  name: string;
  monthly: number | null; // cents; null: not decided
}

export const plans: Plan[] = [
  { name: "Solo", monthly: 799 },
  { name: "Team", monthly: 2450 },
  { name: "School", monthly: null },
];

const show = (cents: number) => (cents / 100).toFixed(2);

// Twelve months less 15 %.
export function yearly(monthly: number): number {
  return Math.floor((monthly * 12 * 85) / 100);
}

export function table(list: Plan[]): string[] {
  const lines: string[] = [];
  for (const { name, monthly } of list) {
    if (monthly !== null) lines.push(`${name} ${show(monthly)} ${show(yearly(monthly))}`);
  }
  return lines;
}
