/** What administrators are mailed about. */
export type AlertKind =
  | 'account_locked'
  | 'sign_in_burst'
  | 'administrator_sign_in'
  | 'administrator_added'
  | 'mass_export';
