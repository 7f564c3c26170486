import type { Entry } from '../../api/types.ts';

/** GDPR Art. 6(1). */
export const LEGAL_BASES: Readonly<Record<Entry['legal_basis'], string>> = {
  consent: 'Consent, Art. 6(1)(a)',
  contract: 'Contract, Art. 6(1)(b)',
  legal_obligation: 'Legal obligation, Art. 6(1)(c)',
  vital_interests: 'Vital interests, Art. 6(1)(d)',
  public_task: 'Public task, Art. 6(1)(e)',
  legitimate_interests: 'Legitimate interests, Art. 6(1)(f)',
};

export const LEGAL_BASIS_OPTIONS = Object.entries(LEGAL_BASES).map(([value, label]) => ({
  value,
  label,
}));
