import { describe, expect, it } from 'vitest';
import { formatEvent } from '../../components/timeline.tsx';
import { createEventFormatters } from './history.ts';

const format = (action: string, details: object) =>
  formatEvent(
    { at: '2026-11-21T09:30:00.000Z', actor: 'user 1', action, details: { ...details } },
    createEventFormatters([]),
  );

describe('An entry of the history of an anonymised request', () => {
  it.each([
    ['extended', 'Extended'],
    ['erasure_decided', 'Erasure decided'],
    ['assigned', 'Assigned'],
    ['status_changed', 'Status changed'],
    ['task_done', 'Task done'],
    ['entered', 'Entered'],
  ])('%s without details shows only the action', (action, label) => {
    expect(format(action, {})).toEqual([label]);
  });

  it('that never has details keeps its sentence', () => {
    expect(format('identity_verified', {})).toEqual(['Email confirmed']);
  });

  it('shows how a request was received also if the day is missing', () => {
    expect(format('entered', { channel: 'letter' })).toEqual(['Request added manually', 'Letter']);
    expect(format('entered', { channel: 'letter', received_on: '2026-11-20' })).toEqual([
      'Request added manually',
      'Letter, received on 20\u00a0Nov\u00a02026',
    ]);
  });
});
