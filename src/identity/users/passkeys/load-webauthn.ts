/** Loaded when the first passkey is used: it takes a fifth of a second, which commands and most servers do not need. */
export const loadWebAuthn = () => import('./webauthn.ts');
