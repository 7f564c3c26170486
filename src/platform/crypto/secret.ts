import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Derives a key per purpose from the installation's secret (HKDF-SHA256, RFC 5869). */
export class Secret {
  readonly #root: Buffer;
  readonly #keys = new Map<string, Buffer>();

  constructor(root: Buffer) {
    this.#root = root;
  }

  /** 32 bytes. */
  key(purpose: string): Buffer {
    let key = this.#keys.get(purpose);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', this.#root, '', `pavis:${purpose}`, 32));
      this.#keys.set(purpose, key);
    }
    return key;
  }

  /** HMAC-SHA256 with the purpose's key, in base64url (43 characters). */
  hash(purpose: string, text: string): string {
    return createHmac('sha256', this.key(purpose)).update(text).digest('base64url');
  }

  /** AES-256-GCM with the purpose's key, in base64url. */
  seal(purpose: string, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key(purpose), nonce);
    const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(sealed).toString('base64url');
  }

  /** @throws if the text was sealed with another secret or purpose, or was changed */
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
