import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

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

  /** A text that only this installation can read again, and for this purpose: in base64url. */
  seal(purpose: string, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key(purpose), nonce);
    const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(sealed).toString('base64url');
  }

  /**
   * The text that was sealed.
   * @throws if it was sealed with another secret or for another purpose, or was changed since
   */
  unseal(purpose: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv(CIPHER, this.key(purpose), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  }
}
