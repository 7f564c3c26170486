import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRole, readValues, toLogin, toProviderUser } from './rules.ts';

const TOKEN = { iss: 'https://login.example.com', sub: 'user-1' };

describe('Claims of a provider', () => {
  it.each([
    [{ groups: ['a', 'b'] }, 'groups', ['a', 'b']],
    [{ groups: 'a' }, 'groups', ['a']],
    [{ groups: ['a', 1, null, { b: 1 }] }, 'groups', ['a']],
    [{ realm_access: { roles: ['a'] } }, 'realm_access.roles', ['a']],
    [{ 'https://x.example/roles': ['a'] }, 'https://x.example/roles', ['a']],
    [{}, 'groups', []],
    [{ realm_access: null }, 'realm_access.roles', []],
    [{}, 'constructor.name', []],
  ])('%j have values of %s', (claims, name, values) =>
    expect(readValues(claims, name)).toEqual(values),
  );

  it.each([
    [{ email: 'Ada@Example.com', email_verified: true }, {}, 'ada@example.com'],
    [{}, { email: 'ada@example.com', email_verified: true }, 'ada@example.com'],
    [{ email: 'ada@example.com' }, {}, undefined],
    [{ email: 'ada@example.com', email_verified: false }, {}, undefined],
    [{ email: 'ada@example.com', email_verified: 'true' }, {}, undefined],
    // The verification of one source says nothing about the address of the other.
    [{ email: 'ada@example.com' }, { email: 'x@example.com', email_verified: true }, undefined],
    [{ email_verified: true }, {}, undefined],
    [{ email: 'no address', email_verified: true }, {}, undefined],
  ])('%j and %j have the verified address %s', (token, info, email) =>
    expect(toProviderUser({ ...TOKEN, ...token }, info, 'groups').email).toBe(email),
  );

  it('map to the role of the first pair that fits', () => {
    const pairs = [
      ['admins', 'administrator'],
      ['staff', 'editor'],
    ] as const;
    expect(findRole(pairs, ['staff', 'admins'])).toBe('administrator');
    expect(findRole(pairs, ['staff'])).toBe('editor');
    expect(findRole(pairs, ['Admins', 'others'])).toBeUndefined();
  });
});

describe('The login of a new user', () => {
  it.each([
    ['ada', 'ada'],
    ['ada@example.com', 'ada'],
    ['Ada Lovelace', 'AdaLovelace'],
    ['müller', 'muller'],
    ['.._-', 'user'],
    ['', 'user'],
  ])('of %s is %s', (name, login) => expect(toLogin(name)).toBe(login));

  it('is always valid, and differs by number', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 2, max: 999 }), (name, number) => {
        expect(toLogin(name)).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/);
        expect(toLogin(name, number)).toMatch(/^[A-Za-z0-9][\w.-]{0,59}$/);
        expect(toLogin(name, number)).not.toBe(toLogin(name));
      }),
    );
  });
});
