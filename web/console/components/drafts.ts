/** Unsaved input of a settings form, stored for this tab. */
export interface Draft<T> {
  /** The saved values that the user edited, with their entity tag. */
  base: T;
  etag: string;
  values: T;
}

/** Drafts are stored per user, because another user can sign in in the same tab. */
const toKey = (login: string, name: string): string => `pavis-draft:${login}:${name}`;

export function readDraft<D>(login: string, name: string): D | undefined {
  try {
    const text = sessionStorage.getItem(toKey(login, name));
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Stores a draft, if the browser allows it. */
export function saveDraft<D>(login: string, name: string, draft: D): void {
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
