/** Unsaved input of a form, stored for this tab. */
export interface Draft<T> {
  /** The saved values that the user edited, with their entity tag. */
  base: T;
  etag: string;
  values: T;
}

/** Drafts are stored per user, because another user can sign in in the same tab. */
const toKey = (login: string, name: string): string => `pavis-draft:${login}:${name}`;

export function readDraft<T>(login: string, name: string): Draft<T> | undefined {
  try {
    const text = sessionStorage.getItem(toKey(login, name));
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Stores a draft, if the browser allows it. */
export function saveDraft<T>(login: string, name: string, draft: Draft<T>): void {
  try {
    sessionStorage.setItem(toKey(login, name), JSON.stringify(draft));
  } catch {
    // Storage is full or disabled. The confirmation before leaving still protects the input.
  }
}

export function deleteDraft(login: string, name: string): void {
  try {
    sessionStorage.removeItem(toKey(login, name));
  } catch {
    // Storage is disabled, or the draft is invalid.
  }
}
