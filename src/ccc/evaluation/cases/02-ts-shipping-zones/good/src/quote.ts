import { readFileSync } from "node:fs";

interface Zone {
  base: number;
  includedGrams: number;
  perKg: number;
}

type Zones = Record<string, Zone>;

export function quote(zone: string, grams: number, configPath = "config/zones.json"): number {
  if (grams <= 0) throw new RangeError("weight must be positive");
  const zones: Zones = JSON.parse(readFileSync(configPath, "utf8"));
  if (!Object.hasOwn(zones, zone)) throw new Error(`unknown zone: ${zone}`);
  const entry = zones[zone];
  const extraKg = Math.max(0, Math.ceil((grams - entry.includedGrams) / 1000));
  return entry.base + extraKg * entry.perKg;
}
