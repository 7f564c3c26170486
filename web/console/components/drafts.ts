/** What was typed into a form and not saved, in this tab only. */
export interface Draft<T> {
  /** What the form showed at first, with its entity tag. */
  base: T;
  etag: string;
  values: T;
}

/** Drafts belong to one user: another user who signs in in the same tab does not see them. */
const keyOf = (login: string, name: string): string => `pavis-draft:${login}:${name}`;

export function readDraft<T>(login: string, name: string): Draft<T> | undefined {
  try {
    const text = sessionStorage.getItem(keyOf(login, name));
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps a draft, as far as the browser allows it. */
export function saveDraft<T>(login: string, name: string, draft: Draft<T>): void {
  try {
    sessionStorage.setItem(keyOf(login, name), JSON.stringify(draft));
  } catch {
    // Storage is full or switched off: leaving still asks.
  }
}

export function deleteDraft(login: string, name: string): void {
  try {
    sessionStorage.removeItem(keyOf(login, name));
  } catch {
    // There is none then.
  }
}
