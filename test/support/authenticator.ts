import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const FLAGS = { userPresent: 0x01, userVerified: 0x04, hasCredential: 0x40 };

/** What an authenticator is asked to do otherwise than it should. */
interface Deviations {
  origin?: string;
  isVerified?: boolean;
  /** Default: one more than before. */
  counter?: number;
}

/** An authenticator in software, with one passkey (WebAuthn Level 3, ES256, attestation `none`). */
export class Authenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly id = randomBytes(16).toString('base64url');
  readonly #origin: string;
  counter = 0;
  userHandle: string | undefined;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** The answer to `navigator.credentials.create`. */
  create(
    options: { challenge: string; user: { id: string } },
    { origin, isVerified, counter = ++this.counter }: Deviations = {},
  ) {
    this.counter = counter;
    this.userHandle = options.user.id;
    const flags = FLAGS.hasCredential | this.#flags(isVerified);
    const id = Buffer.from(this.id, 'base64url');
    const credential = Buffer.concat([Buffer.alloc(16), uint16(id.length), id, this.#coseKey()]);
    const authData = Buffer.concat([this.#authenticatorData(flags, counter), credential]);
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      cborText('fmt'),
      cborText('none'),
      cborText('attStmt'),
      Buffer.from([0xa0]),
      cborText('authData'),
      cborBytes(authData),
    ]);
    const clientData = this.#clientData('webauthn.create', options.challenge, origin);
    return {
      id: this.id,
      response: {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** The answer to `navigator.credentials.get`. */
  get(
    { challenge }: { challenge: string },
    { origin, isVerified, counter = ++this.counter }: Deviations = {},
  ) {
    const authenticatorData = this.#authenticatorData(this.#flags(isVerified), counter);
    const clientData = this.#clientData('webauthn.get', challenge, origin);
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    return {
      id: this.id,
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
        ...(this.userHandle !== undefined && { userHandle: this.userHandle }),
      },
    };
  }

  #flags = (isVerified = true): number => FLAGS.userPresent | (isVerified ? FLAGS.userVerified : 0);

  #authenticatorData(flags: number, counter: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const rpId = new URL(this.#origin).hostname;
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), count]);
  }

  #clientData = (type: string, challenge: string, origin = this.#origin): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  /** COSE (RFC 9053): key type EC2, algorithm ES256, curve P-256, x, y. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const [kty, alg, crv] = [Buffer.from([1, 2]), Buffer.from([3, 0x26]), Buffer.from([0x20, 1])];
    const point = [0x21, 0x22].flatMap((label, index) => [
      Buffer.from([label]),
      cborBytes(Buffer.from(index === 0 ? x : y, 'base64url')),
    ]);
    return Buffer.concat([Buffer.from([0xa5]), kty, alg, crv, ...point]);
  }
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

/** A CBOR byte string of 24 to 65,535 bytes, in the shortest form. */
const cborBytes = (bytes: Buffer): Buffer =>
  bytes.length < 256
    ? Buffer.concat([Buffer.from([0x58, bytes.length]), bytes])
    : Buffer.concat([Buffer.from([0x59]), uint16(bytes.length), bytes]);

/** A CBOR text of up to 23 bytes. */
const cborText = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
