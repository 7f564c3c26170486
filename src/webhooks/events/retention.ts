import type { PersonalDataDeclaration } from '../../personal-data/index.ts';

/**
 * Events of webhooks with their delivery log. They repeat what other records hold, so an erasure deletes them, also
 * those that are not delivered yet.
 */
export const webhookEvents: PersonalDataDeclaration = {
  category: 'webhook_events',
  label: 'Webhook events',
  table: 'webhook_events',
  due: 'created_at',
  personal: { payload: { text: '{}' }, email: 'null', visitor_id: 'null' },
  impersonal: ['message_id', 'type'],
  shown: ['created_at', 'type', 'payload'],
  json: ['payload'],
  person: { email: ['email'], visitor_id: ['visitor_id'] },
  keeps: [],
  erasure: 'delete',
  parts: [
    {
      table: 'webhook_deliveries',
      parent: 'event_id',
      personal: { last_error: 'null', last_response: 'null' },
      impersonal: ['status'],
    },
  ],
  policy: {
    name: 'Webhook events: 30 days',
    periodValue: 30,
    periodUnit: 'days',
    action: 'delete',
  },
};
