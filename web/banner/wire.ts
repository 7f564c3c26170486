export interface Status {
  enabled: boolean;
  categories: Record<string, { id: string; label: string; required: boolean }>;
  settings: {
    position: string;
    title: string;
    message: string;
    accept_text: string;
    reject_text: string;
    expiry_days: number;
    privacy_url: string;
  };
  version: number;
}

export interface Texts {
  language: string;
  /** `ltr` or `rtl` */
  direction: string;
  title: string;
  message: string;
  accept_text: string;
  reject_text: string;
  manage_text: string;
  save_text: string;
  privacy_text: string;
  reopen_text: string;
  required_text: string;
  placeholder_text: string;
  load_text: string;
  always_text: string;
  categories: Record<string, { label: string; description?: string }>;
  hash?: string;
  /** The oldest version to which consent is still valid. */
  asked_since?: number;
}

export interface RegisteredScript {
  handle: string;
  category: string;
  script_url: string;
  blocking_method: string;
}

export type ConsentAction = 'accept_all' | 'reject_all' | 'manage';

/** Fetches JSON; undefined on an error or after five seconds. */
export async function ask<T>(url: string): Promise<T | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    if (answer.ok) return await answer.json();
  } catch {}
  return undefined;
}
