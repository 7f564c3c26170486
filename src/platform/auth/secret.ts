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

  /** Encrypts a text under the purpose's key (AES-256-GCM), in base64url; `unseal` gives it back. */
  seal(purpose: string, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key(purpose), nonce);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
  }

  /**
   * The text that was sealed for the purpose.
   * @throws if it was not sealed with this secret, or was changed
   */
  unseal(purpose: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const bodyAt = NONCE_BYTES + TAG_BYTES;
    const decipher = createDecipheriv(CIPHER, this.key(purpose), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, bodyAt));
    return decipher.update(bytes.subarray(bodyAt), undefined, 'utf8') + decipher.final('utf8');
  }
}
