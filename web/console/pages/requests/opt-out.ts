import type { Case } from './types.ts';

type Law = Pick<Case, 'request_type' | 'regime'>;

/** See `isOptOut` of the server. */
const isOptOut = ({ request_type, regime }: Law): boolean =>
  request_type === 'objection' && regime === 'ccpa';

/** See `needsConfirmation` of the server. */
export const needsConfirmation = (request: Law & Pick<Case, 'status'>): boolean =>
  request.status === 'received' || !isOptOut(request);

/** Neither deadlines under the LGPD nor those of opt-outs under the CCPA can be extended. */
export const isExtensible = (request: Law & Pick<Case, 'extended'>): boolean =>
  !request.extended && request.regime !== 'lgpd' && !isOptOut(request);
