import type { Entry } from '../../api/types.ts';

/** GDPR Art. 6(1). */
export const LEGAL_BASES = [
  'consent',
  'contract',
  'legal_obligation',
  'vital_interests',
  'public_task',
  'legitimate_interests',
] as const satisfies Entry['legal_basis'][];
