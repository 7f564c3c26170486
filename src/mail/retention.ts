import type { PersonalDataDeclaration } from '../personal-data/index.ts';

/** The content of a sent mail is deleted at once; that of others is kept, so that they can be retried. */
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
  },
};
