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
  try {
    store.setItem(PREFIX + id, value);
  } catch {
    const oldest = oldestDraft(store, id);
    if (oldest !== null) store.removeItem(oldest);
    try {
      store.setItem(PREFIX + id, value);
    } catch {}
  }
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
