import type { PersonalDataDeclaration } from '../personal-data/index.ts';

/**
 * Mail that was sent, given up or held. What it said is gone once it is sent; of the others it stays, so
 * that they can be sent after all.
 */
export const mailRecords: PersonalDataDeclaration = {
  category: 'outbox_mail',
  label: 'Emails',
  table: 'outbox_mails',
  due: 'ended_at',
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
    name: 'Emails: 90 days',
    periodValue: 90,
    periodUnit: 'days',
    action: 'anonymise',
    isActive: true,
  },
};
