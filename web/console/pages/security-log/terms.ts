import { formatCount, toLabel } from '../../components/format.ts';
import type { SecurityEvent } from './queries.ts';

export const EVENT_LABELS: Record<SecurityEvent['event'], string> = {
  sign_in: 'Sign-in',
  sign_in_failed: 'Failed sign-in',
  sign_in_burst: 'Failed sign-ins for several accounts',
  sign_out: 'Sign-out',
  account_locked: 'Sign-in blocked',
  account_unlocked: 'Sign-in unblocked',
  credential_refused: 'Credentials refused',
  user_created: 'User created',
  user_deleted: 'User deleted',
  role_changed: 'Role changed',
  email_changed: 'Email address changed',
  password_changed: 'Password changed',
  password_reset: 'Password reset',
  password_reset_requested: 'Password reset link requested',
  signed_out_everywhere: 'Signed out everywhere',
  sessions_ended: 'Sessions ended',
  application_password_added: 'Application password created',
  application_password_revoked: 'Application password revoked',
  second_factor_changed: 'Second factor changed',
  single_sign_on_unlinked: 'Single sign-on unlinked',
  data_exported: 'Data exported',
  product_changed: 'Product changed',
  plan_changed: 'Plan changed',
  branding_changed: 'Branding changed',
  release_changed: 'Release changed',
  release_key_changed: 'Release key changed',
  webhook_changed: 'Webhook changed',
  licences_imported: 'Licences imported',
  api_token_changed: 'API token changed',
  subject_key_shown: 'Subject key shown',
  subject_key_rotated: 'Subject key rotated',
  signing_key_rotated: 'Signing key rotated',
};

const REASONS: Record<string, string> = {
  wrong_password: 'Wrong password',
  weak_password: 'Right password, too weak for an administrator',
  unknown_login: 'No user has this login',
  wrong_code: 'Wrong code of the second factor',
  wrong_passkey: 'Passkey refused',
  locked: 'Refused: sign-in is blocked',
  expired: 'Expired',
  scope_missing: 'Scope is missing',
  provider_refused: 'Refused by the provider',
  sign_in_expired: 'Not finished in time, or in another browser',
  sign_in_failed: 'The response of the provider is not valid',
  email_not_verified: 'The provider does not say that the email address is verified',
  email_not_confirmed: 'The email address of the account is not confirmed',
  other_identity: 'The account belongs to another identity of the provider',
  no_role: 'The provider grants no role',
  no_account: 'No account, and none is created',
  last_administrator: 'Would change the role of the last administrator',
};
const METHODS: Record<string, string> = {
  application_password: 'Application password',
  bearer_token: 'Bearer token',
  api_token: 'API token',
  email_link: 'Link by email',
  nonce: 'Nonce',
  password: 'Password',
  session: 'Session',
  single_sign_on: 'Single sign-on',
  webhook_signature: 'Signature of Stripe',
  link: 'Download link',
};
/** `details.action` of changes. */
const ACTIONS: Record<string, string> = {
  deactivated_failing: 'Deactivated: has failed for days',
  deactivated_gone: 'Deactivated: answered 410',
  failed_sent_again: 'Failed events sent again',
  recovery_codes_created: 'New recovery codes',
  reset: 'Reset: authenticator app, passkeys and recovery codes removed',
};
const EXPORTS: Record<string, string> = {
  consent_records: 'Consent records',
  data_map: 'Data map',
  database_backup: 'Backup of the database',
  scan_evidence: 'Evidence pack of a scan',
  dsar_cases: 'Subject requests',
  dsar_packages: 'Package of a request',
  security_log: 'Security log',
};

/** What is known about an event beside its columns. */
export function describe({ event, details, address }: SecurityEvent): string {
  const text = (name: string) => String(details[name] ?? '');
  const said: string[] = [];
  if (details.reason) said.push(REASONS[text('reason')] ?? toLabel(text('reason')));
  if (details.what) said.push(EXPORTS[text('what')] ?? toLabel(text('what')));
  if (details.action) said.push(ACTIONS[text('action')] ?? toLabel(text('action')));
  if (details.host) said.push(text('host'));
  if (details.records !== undefined) {
    const count = formatCount(Number(details.records), 'record');
    said.push(details.unfinished ? `At least ${count}` : count);
  }
  if (details.reference) said.push(text('reference'));
  if (details.method) said.push(METHODS[text('method')] ?? toLabel(text('method')));
  if (details.second_factor) said.push(toLabel(text('second_factor')));
  if (details.from) said.push(`${toLabel(text('from'))} to ${toLabel(text('to')).toLowerCase()}`);
  if (details.role) said.push(toLabel(text('role')));
  if (details.scope) said.push(text('scope'));
  if (details.name) said.push(`“${text('name')}”`);
  if (event === 'application_password_added' && Array.isArray(details.scopes))
    said.push(`Limited to ${details.scopes.join(', ')}`);
  if (details.device) said.push(text('device'));
  else if (event === 'sessions_ended') said.push(formatCount(Number(details.count), 'session'));
  if (event === 'sign_in' && details.known_device === false) said.push('New device');
  if (event === 'sign_in_burst') {
    said.push(`${text('failures')} failures in 10 minutes`);
    said.push(`accounts: ${text('accounts')}, with unknown logins: ${text('unknown_logins')}`);
  }
  if (details.merged && address === null) said.push('From several addresses');
  return said.join(' · ');
}
