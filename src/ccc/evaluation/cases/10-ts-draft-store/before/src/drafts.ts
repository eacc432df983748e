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
  store.setItem(PREFIX + id, JSON.stringify({ text, saved: now }));
}

export function loadDraft(store: Store, id: string): Draft | null {
  const value = store.getItem(PREFIX + id);
  return value === null ? null : JSON.parse(value);
}
