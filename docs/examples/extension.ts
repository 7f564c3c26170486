// The same in TypeScript: compiled to JavaScript, PAVIS_EXTENSIONS loads the result.
import type { DsarSource, Extension } from 'pavis/extension';

const orders: DsarSource = {
  id: 'acme_shop_orders',
  label: 'Orders in the Acme shop',
  collect: async ({ email }) => ({ records: [{ email, item: 'Notebook' }], next: null }),
};

const extension: Extension = (pavis) => {
  pavis.addAction('svc_register_extensions', (registry) => {
    registry.addDsarSource(orders);
  });
  pavis.addAction('svc_dsar_status_changed', ({ reference, to }) => {
    if (to === 'completed') process.stdout.write(`${reference} is completed\n`);
  });
  pavis.addFilter('svc_scan_finding', (finding) =>
    finding.host === 'chat.acme.example' ? { ...finding, category: 'functional' } : undefined,
  );
};

// biome-ignore lint/style/noDefaultExport: an extension is the default export of a module
export default extension;
