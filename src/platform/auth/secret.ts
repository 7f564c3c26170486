import { createHmac, hkdfSync } from 'node:crypto';

/**
 * The installation's secret and what is derived from it. Each purpose has its own key (HKDF-SHA256,
 * RFC 5869), so that what is made for one can never pass for another.
 */
export class Secret {
  readonly #root: Buffer;
  readonly #keys = new Map<string, Buffer>();

  constructor(root: Buffer) {
    this.#root = root;
  }

  /** The 32-byte key for a purpose. */
  key(purpose: string): Buffer {
    let key = this.#keys.get(purpose);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', this.#root, '', `pavis:${purpose}`, 32));
      this.#keys.set(purpose, key);
    }
    return key;
  }

  /** HMAC-SHA256 of a text under the purpose's key, in base64url (43 characters). */
  hash(purpose: string, text: string): string {
    return createHmac('sha256', this.key(purpose)).update(text).digest('base64url');
  }
}
