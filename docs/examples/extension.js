// An extension for Pavis. PAVIS_EXTENSIONS=./docs/examples/extension.js loads it.

const ORDERS = [
  { id: 1001, email: 'ada@example.com', item: 'Notebook', ordered: '2026-01-12' },
  { id: 1002, email: 'bob@example.com', item: 'Fountain pen', ordered: '2026-02-03' },
];

/** One page of what the shop holds about a person. A longer list gives `next`, and is asked again with it as `cursor`. */
async function collect({ email }) {
  return { records: ORDERS.filter((order) => order.email === email), next: null };
}

// biome-ignore lint/style/noDefaultExport: an extension is the default export of a module
export default function extension(pavis) {
  pavis.addAction('svc_register_extensions', (registry) => {
    registry.addDsarSource({ id: 'acme_shop_orders', label: 'Orders in the Acme shop', collect });
    registry.addConsentScript({
      handle: 'acme-chat',
      label: 'Acme Chat',
      category: 'functional',
      script_url: 'https://chat.acme.example/widget.js',
    });
    registry.addVendor({
      slug: 'acme',
      name: 'Acme Ltd',
      purpose: 'Customer support by chat',
      data_categories: ['contact', 'messages'],
      default_retention: '2 years',
    });
  });

  pavis.addAction('svc_scan_complete', async (summary) => {
    const chat = process.env.ACME_CHAT_WEBHOOK;
    if (!chat) return;
    const text = `Scan ${summary.scan_id}: ${summary.findings} findings on ${summary.pages} pages`;
    const answer = await fetch(chat, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
      signal: AbortSignal.timeout(5000),
    });
    if (!answer.ok) throw new Error(`the chat answered ${answer.status}`);
  });
}
