import { describe, expect, it } from 'vitest';
import { PERSONAL_DATA } from '../../../modules/personal-data.ts';
import { toShownRecord } from './shown-record.ts';

const typeOf = (category: string) => {
  const type = PERSONAL_DATA.find((each) => each.category === category);
  if (!type?.shown) throw new Error(`nothing of ${category} is shown`);
  return { type, columns: type.shown };
};
const shownOf = (category: string, row: Record<string, unknown>) => {
  const { type, columns } = typeOf(category);
  return toShownRecord(type, row, columns);
};

describe('toShownRecord', () => {
  it('returns lists, booleans, nulls and ISO moments as JSON', () => {
    const row = {
      id: 7,
      visitor_id: 'v-1',
      created_at: Date.parse('2026-11-21T09:30:00.000Z'),
      consent_action: 'manage',
      categories_accepted: '["functional"]',
      categories_rejected: '[]',
      expires_at: Date.parse('2027-11-21T09:30:00.000Z'),
      gpc: 0,
      anonymised_at: null,
    };
    expect(shownOf('consent_records', row)).toMatchObject({
      created_at: '2026-11-21T09:30:00.000Z',
      categories_accepted: ['functional'],
      categories_rejected: [],
      gpc: false,
      page_url: null,
    });
  });

  it.each([
    ['requestor', 'requester'],
    ['system', 'system'],
    ['ada', 'staff'],
    ['constructor', 'staff'],
  ])('names the role of %s and not the login', (actor, role) => {
    const details = JSON.stringify({ note: 'Called back.', internal: 'x' });
    const row = { reference: 'DSR-1', at: 0, action: 'note', actor, details };
    expect(shownOf('dsar_events', row)).toEqual({
      reference: 'DSR-1',
      at: '1970-01-01T00:00:00.000Z',
      action: 'note',
      actor: role,
      details: { note: 'Called back.' },
    });
  });

  it('omits the assignee', () => {
    const details = JSON.stringify({ from: null, to: 'ada' });
    const shown = shownOf('dsar_events', { action: 'assigned', actor: 'bob', details });
    expect(JSON.stringify(shown)).not.toMatch(/ada|bob/);
    const moved = JSON.stringify({ from: 'received', to: 'in_progress' });
    expect(shownOf('dsar_events', { action: 'status_changed', details: moved })).toMatchObject({
      details: { from: 'received', to: 'in_progress' },
    });
  });

  it('distinguishes actions of the person from those of others', () => {
    const shown = (actor: string) =>
      shownOf('user_log', { login: 'ada', actor, action: 'password_changed', details: '{}' });
    expect([shown('ada').actor, shown('bob').actor]).toEqual(['self', 'staff']);
    const row = { action: 'transferred', actor: 'console (bob)' };
    const details = JSON.stringify({ from_customer: 1, to_customer: 2 });
    expect(shownOf('audit_log', { ...row, details })).toMatchObject({
      actor: 'staff',
      details: {},
    });
    const exchange = { action: 'exchanged', actor: 'old key', details: '{}' };
    expect(shownOf('audit_log', exchange)).toMatchObject({ actor: 'licence_key' });
  });

  it('never contains credentials or the names of staff', () => {
    const secret = /hash|token|secret|password$|_key$|session_version|assignee|actor_id/;
    const shown = PERSONAL_DATA.flatMap(({ category, shown: columns = [] }) =>
      columns.map((column) => `${category}.${column}`),
    );
    expect(shown.length).toBeGreaterThan(50);
    expect(shown.filter((name) => secret.test(name))).toEqual([]);
    // Actors are logins unless they are declared as such.
    const logins = PERSONAL_DATA.flatMap(({ category, shown: columns = [], actors = [] }) =>
      columns
        .filter((column) => column === 'actor' && !actors.includes(column))
        .map((column) => `${category}.${column}`),
    );
    expect(logins).toEqual([]);
  });
});
