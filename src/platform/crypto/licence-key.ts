import { randomAlphanumeric, toAlphanumeric } from './random.ts';

export type LicenceMode = 'live' | 'test';

const BODY_LENGTH = 32;
const PREFIX_LENGTH = 'pv_live_'.length;
const LICENCE_KEY = /^pv_(?:live|test)_[A-Za-z0-9]{32}$/;

/** A new licence key: the prefix of its mode and 32 random characters (190 bits). */
export const generateKey = (mode: LicenceMode): string =>
  `pv_${mode}_${randomAlphanumeric(BODY_LENGTH)}`;

/**
 * The licence key of a digest, always the same: for keys that must be given out again although only their hash is stored.
 * @param digest 32 unpredictable bytes in base64url, as `hash` of the secret returns them
 */
export const deriveKey = (mode: LicenceMode, digest: string): string =>
  `pv_${mode}_${toAlphanumeric(Buffer.from(digest, 'base64url'), BODY_LENGTH)}`;

/** Whether a text has the format of a licence key (contract, "Licence key"). */
export const isLicenceKey = (text: string): boolean => LICENCE_KEY.test(text);

/** The part of a key that may be shown: its start, an ellipsis and its last four characters. */
export const maskKey = (key: string): string =>
  `${key.slice(0, PREFIX_LENGTH + 4)}…${key.slice(-4)}`;
