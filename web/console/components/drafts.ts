import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery } from '../api/queries.ts';

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

/**
 * The login and the name under which input on this page is stored. They stay when the session ends or the page is left.
 * @param kind unique on the page
 */
export function useDraftKey(kind: string): readonly [login: string, name: string] {
  const login = useQuery(sessionQuery).data?.user.login ?? '';
  const path = useLocation({ select: ({ pathname }) => pathname });
  const [key] = useState([login, `${kind}:${path}`] as const);
  return key;
}
