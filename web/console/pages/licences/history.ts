import { formatAmount, formatCount, formatUtcDay, toLabel } from '../../components/format.ts';
import type { EventFormatters } from '../../components/timeline.tsx';
import { NEVER } from './queries.ts';

type Text = (name: string) => string;

/** Earlier releases logged the expiry of an import in milliseconds. */
const formatExpiry = (moment: string): string =>
  moment === NEVER || moment === String(Date.parse(NEVER))
    ? 'never'
    : formatUtcDay(/^\d+$/.test(moment) ? new Date(Number(moment)).toISOString() : moment);

/** The amount of a payment, and tier, sites and expiry of a licence, as far as the event has them. */
const formatTerms = (text: Text, isSum = false): string =>
  [
    text('currency') &&
      `${formatAmount(Number(text('amount')), text('currency'))}${isSum ? ' refunded in total' : ''}`,
    toLabel(text('tier')),
    text('sites_allowed') && formatCount(Number(text('sites_allowed')), 'site'),
    text('expires_at') && `expires: ${formatExpiry(text('expires_at'))}`,
    text('unknown_price') &&
      `the price ${text('unknown_price')} is not in PAVIS_STRIPE_PRICES, so the tier stays`,
  ]
    .filter(Boolean)
    .join(', ');

const formatValue = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value) || 'none';

const formatField = (values: unknown, name: string): string =>
  formatValue((values as Record<string, unknown> | undefined)?.[name] ?? '');

/** @param isSum whether the amount is the sum of all refunds of the payment until then */
const payment =
  (sentence: string, isSum = false): EventFormatters[string] =>
  (text) => [sentence, formatTerms(text, isSum)];

/** Formatters for the events of a licence. */
export const FORMATTERS: EventFormatters = {
  issued: (text, { trial }) => [
    `${trial ? 'Trial started' : 'Issued'}${text('mode') === 'test' ? ' in test mode' : ''}`,
    formatTerms(text),
  ],
  imported: (text, { before }) => [
    before ? 'Updated by an import' : 'Imported',
    [formatTerms(text), text('external_id') && `ID there: ${text('external_id')}`]
      .filter(Boolean)
      .join(', '),
  ],
  exchanged: (text) => [`Old key exchanged by ${text('site_url')}`],
  extended: (text) => [
    `Expiry changed to ${formatExpiry(text('to'))}`,
    `Previously ${formatExpiry(text('from'))}`,
  ],
  edited: (_text, { before, ...after }) => [
    'Edited',
    Object.entries(after)
      .map(
        ([name, value]) => `${toLabel(name)}: ${formatField(before, name)} → ${formatValue(value)}`,
      )
      .join('\n'),
  ],
  renewed: payment('Renewed'),
  renewal_refused: payment('Renewal refused. Refund the payment.'),
  suspended: (text) => ['Suspended', text('reason')],
  reinstated: 'Reinstated',
  revoked: (text) => ['Revoked', text('reason')],
  customer_deleted: 'Customer deleted',
  rerolled: (text) => [
    `Key rotated: ${text('new_key')}`,
    text('overlap_hours') !== '0'
      ? `Previous key valid for up to ${formatCount(Number(text('overlap_hours')), 'hour')}`
      : '',
  ],
  transferred: (text, { from_email, to_email }) => [
    'Transferred to another customer',
    from_email || to_email
      ? `From ${text('from_email') || 'a deleted customer'} to ${text('to_email') || 'a deleted customer'}`
      : '',
  ],
  activated: (text) => [`${text('site_url')} activated`],
  deactivated: (text) => [`${text('site_url')} deactivated`],
  checkout_reported: payment('Checkout reported'),
  payment_linked: payment('Payment matched to this licence'),
  payment_received: (text) => [
    text('licence_revoked')
      ? 'Payment received for the revoked licence. Cancel the subscription in Stripe and refund the payment.'
      : 'Payment received',
    formatTerms(text),
  ],
  payment_failed: payment('Payment failed'),
  payment_refunded: payment('Payment refunded', true),
  payment_partly_refunded: payment('Payment refunded in part', true),
  refund_failed: payment('Refund failed'),
  payment_disputed: payment('Payment disputed'),
  dispute_inquiry: payment('Payment inquiry'),
  dispute_won: payment('Dispute won'),
  dispute_lost: payment('Dispute lost'),
  subscription_changed: payment('Subscription changed'),
  subscription_ended: payment('Subscription ended'),
};
