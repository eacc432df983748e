export interface Plan {
  name: string;
  monthly: number | null; // cents; null: not decided
  yearly?: number; // cents
}

export const plans: Plan[] = [
  { name: "Solo", monthly: 799 },
  { name: "Team", monthly: 2450 },
  { name: "School", monthly: null },
];

const show = (cents: number) => (cents / 100).toFixed(2);

export function table(list: Plan[]): string[] {
  return list.map((plan) => `${plan.name} ${plan.monthly === null ? "?" : show(plan.monthly)}`);
}
