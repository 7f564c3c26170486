import { beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { createLogger } from '../platform/log.ts';
import type { ConsentScript } from './items.ts';
import { ExtensionRegistry } from './registry.ts';

const log = await createLogger('silent');
const script_url = 'https://cdn.example.com/a.js';
let registry: ExtensionRegistry;
beforeEach(() => {
  registry = new ExtensionRegistry(log);
});

describe('the extension registry', () => {
  it('keeps the first item of a name and reports the second; each kind has its own names', () => {
    const [a, b] = [registry.createRegistrar('./a.js'), registry.createRegistrar('./b.js')];
    expect(a.addVendor({ slug: 'acme', name: 'Of a' })).toBe(true);
    expect(b.addVendor({ slug: 'acme', name: 'Of b' })).toBe(false);
    b.addConsentScript({ handle: 'acme', label: 'A script', script_url });
    registry.close();
    expect(registry.listing()).toEqual({
      extensions: {
        dsar_sources: [],
        consent_scripts: [{ handle: 'acme', label: 'A script' }],
        vendors: [{ slug: 'acme', name: 'Of a' }],
      },
      totals: { dsar_sources: 0, consent_scripts: 1, vendors: 1 },
    });
    expect(registry.problems).toEqual([
      {
        extension: './b.js',
        message: '"acme" of vendors is already registered: the first one is kept',
      },
    ]);
  });

  it('rejects a source of personal data with a reserved id, and reserves it for no other kind', () => {
    registry = new ExtensionRegistry(log, ['customers', 'package']);
    const a = registry.createRegistrar('./a.js');
    expect(a.addDsarSource({ id: 'customers', label: 'Contacts of the CRM' })).toBe(false);
    expect(a.addDsarSource({ id: 'crm_customers', label: 'Contacts of the CRM' })).toBe(true);
    expect(a.addVendor({ slug: 'package', name: 'Package Ltd' })).toBe(true);
    registry.close();
    expect(registry.listing().totals).toEqual({ dsar_sources: 1, consent_scripts: 0, vendors: 1 });
    expect(registry.problems).toEqual([
      {
        extension: './a.js',
        message: '"customers" of dsar_sources is the name of a source of Pavis',
      },
    ]);
  });

  it('keeps all fields of an item as they were when it was registered', () => {
    const vendor = { slug: 'acme', name: 'Acme', purpose: 'Chat', data_categories: ['messages'] };
    const before = { ...vendor };
    registry.createRegistrar('./a.js').addVendor(vendor);
    vendor.name = 'Other';
    registry.close();
    expect(registry.vendors).toEqual([{ extension: './a.js', item: before }]);
  });

  it('keeps the fields of a source that are accessors of its class', () => {
    class Orders {
      get id() {
        return 'orders';
      }
      get label() {
        return 'Orders';
      }
      get portable() {
        return true;
      }
    }
    expect(registry.createRegistrar('./a.js').addDsarSource(new Orders())).toBe(true);
    expect(registry.listing().extensions.dsar_sources).toEqual([{ id: 'orders', label: 'Orders' }]);
    expect(registry.dsarSources[0]?.item.portable).toBe(true);
  });

  it('requires the URL of a script by its type', () => {
    expectTypeOf<ConsentScript['script_url']>().toEqualTypeOf<string>();
  });

  it('keeps a collect that is a method of a class', async () => {
    class Shop {
      id = 'shop';
      label = 'Shop';
      async collect() {
        return { records: [{ from: this.label }], next: null };
      }
    }
    registry.createRegistrar('./a.js').addDsarSource(new Shop());
    registry.close();
    const page = await registry.dsarSources[0]?.item.collect?.({ email: 'a', cursor: null });
    expect(page).toEqual({ records: [{ from: 'Shop' }], next: null });
  });

  it.each(['a', '0', 'a-b_c', 'x'.repeat(64)])('accepts the name %j', (slug) => {
    expect(registry.createRegistrar('./a.js').addVendor({ slug, name: 'N' })).toBe(true);
  });

  it.each([
    '',
    '-a',
    '_a',
    'A',
    'é',
    'a b',
    'a/b',
    'a\n',
    '__proto__',
    'x'.repeat(65),
    7,
    null,
    undefined,
  ])('rejects the name %j, and no other item with it', (slug) => {
    const registrar = registry.createRegistrar('./a.js');
    expect(registrar.addVendor({ slug: slug as string, name: 'N' })).toBe(false);
    expect(registrar.addVendor({ slug: 'good', name: 'N' })).toBe(true);
    registry.close();
    expect(registry.listing().totals.vendors).toBe(1);
    expect(registry.problems).toEqual([
      { extension: './a.js', message: expect.stringContaining('has a slug that does not match') },
    ]);
  });

  it.each(['Ünïcode & <b>', 'x'.repeat(200), '🙂'])('accepts the label %j', (label) => {
    expect(registry.createRegistrar('./a.js').addDsarSource({ id: 'a', label })).toBe(true);
  });

  it.each(['', '  ', 'x'.repeat(201), 'a\nb', 'a\u0000', 'a\u2028b', '\ud800', 7, null, undefined])(
    'rejects the label %j',
    (label) => {
      const registrar = registry.createRegistrar('./a.js');
      const script = { handle: 'a', label: label as string, script_url };
      expect(registrar.addConsentScript(script)).toBe(false);
      expect(registry.problems).toEqual([
        { extension: './a.js', message: expect.stringContaining('1 to 200 printable characters') },
      ]);
    },
  );

  it('rejects a value that is not an item, and a collect that is not a function', () => {
    const registrar = registry.createRegistrar('./a.js');
    for (const wrong of [undefined, null, 'acme', 7]) {
      expect(registrar.addVendor(wrong as unknown as { slug: string; name: string })).toBe(false);
    }
    const source = { id: 'a', label: 'A', collect: 'later' };
    expect(registrar.addDsarSource(source as unknown as { id: string; label: string })).toBe(false);
    expect(registry.problems).toHaveLength(5);
  });

  it('rejects an item whose fields throw when they are read, and no other item with it', () => {
    const fail = (): never => {
      throw new Error('no luck');
    };
    const registrar = registry.createRegistrar('./a.js');
    const { proxy, revoke } = Proxy.revocable({ slug: 'b', name: 'B' }, {});
    revoke();
    const vendors = [
      Object.defineProperty({ slug: 'a', name: 'A' }, 'slug', { get: fail }),
      Object.defineProperty({ slug: 'a', name: 'A' }, 'purpose', { enumerable: true, get: fail }),
      proxy,
    ];
    for (const vendor of vendors) expect(registrar.addVendor(vendor)).toBe(false);
    const source = Object.defineProperty({ id: 'a', label: 'A' }, 'collect', { get: fail });
    expect(registrar.addDsarSource(source)).toBe(false);
    expect(registrar.addVendor({ slug: 'good', name: 'N' })).toBe(true);
    expect(registry.problems).toHaveLength(4);
    expect(registry.problems[0]).toEqual({
      extension: './a.js',
      message: 'an item of vendors cannot be read: no luck',
    });
  });

  it('rejects a second item of one name from the same extension too', () => {
    const a = registry.createRegistrar('./a.js');
    expect(a.addVendor({ slug: 'acme', name: 'First' })).toBe(true);
    expect(a.addVendor({ slug: 'acme', name: 'Second' })).toBe(false);
    registry.close();
    expect(registry.vendors).toMatchObject([{ item: { name: 'First' } }]);
    expect(registry.problems).toHaveLength(1);
  });

  it('lists a problem of a running extension once', () => {
    registry.close();
    for (let n = 0; n < 3; n++) registry.reportOnce('./a.js', 'gave no result');
    expect(registry.problems).toEqual([{ extension: './a.js', message: 'gave no result' }]);
  });

  it('rejects items of an extension that was discarded, and all items after the end', () => {
    const [a, b] = [registry.createRegistrar('./a.js'), registry.createRegistrar('./b.js')];
    a.addVendor({ slug: 'a', name: 'A' });
    registry.discard('./a.js');
    expect(a.addVendor({ slug: 'a2', name: 'A' })).toBe(false);
    registry.close();
    expect(b.addVendor({ slug: 'b', name: 'B' })).toBe(false);
    expect(registry.listing().totals.vendors).toBe(0);
  });
});
