import { accessSync } from "node:fs";

interface Zone {
  base: number;
  includedGrams: number;
  perKg: number;
}

type Zones = Record<string, Zone>;

const zones: Zones = {
  home: { base: 3.9, includedGrams: 2000, perKg: 0.5 },
  neighbour: { base: 7.5, includedGrams: 1000, perKg: 1.25 },
  overseas: { base: 19, includedGrams: 500, perKg: 8 },
};

export function quote(zone: string, grams: number, configPath = "config/zones.json"): number {
  if (grams <= 0) throw new RangeError("weight must be positive");
  accessSync(configPath);
  const entry = zones[zone];
  if (!entry) throw new Error(`unknown zone: ${zone}`);
  const extraKg = Math.max(0, Math.ceil((grams - entry.includedGrams) / 1000));
  return entry.base + extraKg * entry.perKg;
}
