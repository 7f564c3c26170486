import type { RecordType } from '../records/index.ts';

/** Mail that was sent: what it said is gone by then, to whom is not. */
export const mailRecords: RecordType = {
  category: 'outbox_mail',
  label: 'Sent mail',
  table: 'outbox_mails',
  due: 'sent_at',
  personal: {
    recipient: 'null',
    from_name: 'null',
    reply_to: 'null',
    subject: 'null',
    body_text: 'null',
    body_html: 'null',
    sealed: 'null',
    last_error: 'null',
  },
  impersonal: ['message_id', 'once_key', 'kind', 'about', 'status'],
  shown: ['kind', 'recipient', 'subject', 'status', 'created_at', 'sent_at'],
  person: { email: ['recipient'] },
  policy: {
    name: 'Sent mail: 90 days',
    periodValue: 90,
    periodUnit: 'days',
    action: 'anonymise',
    isActive: true,
  },
};
