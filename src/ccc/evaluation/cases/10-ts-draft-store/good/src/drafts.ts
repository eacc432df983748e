export interface Store {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
  keys(): string[];
}

export interface Draft {
  text: string;
  saved: number;
}

const PREFIX = "draft:";

export function saveDraft(store: Store, id: string, text: string, now: number): void {
  const value = JSON.stringify({ text, saved: now });
  for (;;) {
    try {
      store.setItem(PREFIX + id, value);
      return;
    } catch (error) {
      const oldest = isQuota(error) ? oldestDraft(store, id) : null;
      if (oldest === null) throw error;
      store.removeItem(oldest);
    }
  }
}

function isQuota(error: unknown): boolean {
  return error instanceof Error && error.name === "QuotaExceededError";
}

export function loadDraft(store: Store, id: string): Draft | null {
  const draft = parse(store.getItem(PREFIX + id));
  if (draft === null) store.removeItem(PREFIX + id);
  return draft;
}

function parse(value: string | null): Draft | null {
  if (value === null) return null;
  try {
    return JSON.parse(value);
  } catch {
    return null; // cut off or damaged: as good as no draft
  }
}

function oldestDraft(store: Store, id: string): string | null {
  let oldest: string | null = null;
  let age = Infinity;
  for (const key of store.keys()) {
    if (!key.startsWith(PREFIX) || key === PREFIX + id) continue;
    const saved = parse(store.getItem(key))?.saved ?? 0;
    if (saved < age) [oldest, age] = [key, saved];
  }
  return oldest;
}
