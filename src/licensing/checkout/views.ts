import { formatDay, toIsoMoment } from '../../platform/clock.ts';
import { type Html, html } from '../../platform/html.ts';
import type { ViewDocument } from '../../platform/http/view-document.ts';
import type { Language } from '../branding/index.ts';
import { type CustomerView, toCustomerPage } from '../customers/index.ts';
import { type IssuedLicence, NEVER } from '../licences/index.ts';
import type { Plan } from '../products/index.ts';
import { formatAmount, formatPrice } from './format-price.ts';
import type { CheckoutOrder } from './orders/store.ts';
import type { Purchase } from './purchases/store.ts';
import { toSamplePrice } from './shown-prices.ts';

const toPage = (view: CustomerView, title: string, main: Html): ViewDocument =>
  toCustomerPage(view, title, main, { home: '/account/' });

/** The pages of the test checkout are in English: no customer of a site in production sees them. */
const toTestPage = ({ brand }: CustomerView, title: string, main: Html): ViewDocument =>
  toPage({ brand, language: 'en' }, title, main);

const TEST_NOTE = html`<p class="note">Test checkout: no payment is taken.</p>`;

/** What a licence is for. */
export interface LicensedPlan {
  plan: Plan;
  /** Empty for the default product until the vendor gives it a name. */
  productName: string;
}

const INTERVALS = { month: 'Monthly', year: 'Yearly', once: 'Lifetime' } as const;

/** The order with its price, and the button that pays for it. */
export function payView(
  view: CustomerView,
  order: CheckoutOrder,
  { plan, productName }: LicensedPlan,
  wrong?: { error: string; given: string },
): ViewDocument {
  const title = order.licence === null ? 'Buy a licence' : 'Renew a licence';
  const price = toSamplePrice(plan, order.billingInterval);
  const total = { ...price, amount: price.amount * order.quantity };
  const email = html`<div class="field">
<label for="email">Email address for the licence key</label>
${wrong && html`<span class="wrong" id="error" role="alert">${wrong.error}</span>`}
<input id="email" name="email" type="email" autocomplete="email" maxlength="254" required value="${wrong?.given}"${wrong && html` aria-invalid="true" aria-describedby="error"`}>
</div>`;
  return toTestPage(
    view,
    title,
    html`<h1>${title}</h1>
${TEST_NOTE}
<div class="card"><dl>
${productRow(productName)}<dt>Tier</dt><dd>${plan.label}</dd>
<dt>Sites</dt><dd>${order.quantity * plan.sitesAllowed}</dd>
<dt>Billing</dt><dd>${INTERVALS[order.billingInterval]}</dd>
${order.quantity > 1 && html`<dt>Packages</dt><dd>${order.quantity} × ${formatAmount(price.amount, price.currency)}</dd>`}
${order.licence !== null && html`<dt>Licence</dt><dd><code>${order.licence}</code></dd>`}
${order.licence === null && order.email && html`<dt>Key sent to</dt><dd>${order.email}</dd>`}
<dt>Total</dt><dd>${formatPrice(total)}</dd>
</dl></div>
<form method="post">
${!order.email && email}
<button>Pay with test money</button>
</form>
${order.cancelUrl && html`<p class="after"><a href="${order.cancelUrl}">Go back</a></p>`}`,
  );
}

/** Shows the key once. */
export const paidView = (
  view: CustomerView,
  order: CheckoutOrder,
  { licence, key, email }: IssuedLicence,
  { plan, productName }: LicensedPlan,
) =>
  toTestPage(
    view,
    'Your licence key',
    html`<h1>Thank you</h1>
${TEST_NOTE}
<p class="lead">This is your licence key. It is shown only once, and we have emailed it to ${email}.</p>
<p class="done"><code class="copy">${key}</code></p>
<dl>
<dt>Licence</dt><dd><code>${licence.publicId}</code></dd>
${productRow(productName)}<dt>Tier</dt><dd>${plan.label}</dd>
<dt>Sites</dt><dd>${licence.sitesAllowed}</dd>
</dl>
${continueLink(order)}`,
  );

export const renewedView = (
  view: CustomerView,
  order: CheckoutOrder,
  { productName }: LicensedPlan,
) =>
  toTestPage(
    view,
    'Your licence is renewed',
    html`<h1>Your licence is renewed</h1>
${TEST_NOTE}
<p class="lead">Licence ${order.licence}${suffix(productName)} keeps its key, and your sites stay activated. We have emailed you the new
expiry date.</p>
${continueLink(order)}`,
  );

/** Stands in for Stripe's Billing Portal. */
export const portalView = (
  view: CustomerView,
  { licenceId, expiresAt, renews }: Purchase,
  { plan, productName }: LicensedPlan,
) =>
  toTestPage(
    view,
    'Your subscription',
    html`<h1>Your subscription</h1>
<p class="note">Test checkout: there is no card and there are no invoices.</p>
<div class="card"><dl>
<dt>Licence</dt><dd><code>${licenceId}</code></dd>
${productRow(productName)}<dt>Tier</dt><dd>${plan.label}</dd>
<dt>Paid until</dt><dd>${expiresAt === NEVER ? 'Lifetime' : formatDay('en', toIsoMoment(expiresAt))}</dd>
<dt>Renewal</dt><dd>${renews ? 'automatic' : 'cancelled'}</dd>
</dl></div>
${renews && html`<form method="post"><button>Cancel the subscription</button></form>`}
<p class="after"><a href="/account/">Back to your licences</a></p>`,
  );

export const alreadyPaidView = (
  view: CustomerView,
  order: CheckoutOrder,
  { productName }: LicensedPlan,
) =>
  toTestPage(
    view,
    'Already paid',
    html`<h1>This checkout is already paid</h1>
${TEST_NOTE}
<p class="lead">${
      order.licence === null
        ? `The licence key${suffix(productName)} was shown once and emailed.`
        : `Licence ${order.licence}${suffix(productName)} is renewed with the same key.`
    }</p>
${continueLink(order)}`,
  );

type Messages = Record<
  'notFound' | 'failed' | 'success' | 'cancelled',
  readonly [title: string, text: string]
>;

const MESSAGES: Record<Language, Messages> = {
  en: {
    notFound: ['Checkout not found', 'A checkout expires after one day. Please start again.'],
    failed: ['Something went wrong', 'Go back and try again.'],
    success: [
      'Thank you',
      'We email your licence key as soon as the payment is confirmed. This usually takes a few seconds. Enter the key in the settings of your site.',
    ],
    cancelled: [
      'Checkout cancelled',
      'You have not been charged. You can start again at any time.',
    ],
  },
  de: {
    notFound: [
      'Bestellung nicht gefunden',
      'Eine Bestellung verfällt nach einem Tag. Bitte beginnen Sie noch einmal.',
    ],
    failed: ['Etwas ist schiefgegangen', 'Gehen Sie zurück und versuchen Sie es noch einmal.'],
    success: [
      'Vielen Dank',
      'Sobald die Zahlung bestätigt ist, senden wir Ihnen den Lizenzschlüssel per E-Mail. Das dauert meist wenige Sekunden. Geben Sie den Schlüssel in den Einstellungen Ihrer Website ein.',
    ],
    cancelled: [
      'Bestellung abgebrochen',
      'Es wurde nichts abgebucht. Sie können jederzeit neu beginnen.',
    ],
  },
};

export function messageView(view: CustomerView, name: keyof Messages): ViewDocument {
  const [title, text] = MESSAGES[view.language][name];
  return toPage(view, title, html`<h1>${title}</h1>\n<p class="lead">${text}</p>`);
}

const productRow = (name: string) => name && html`<dt>Product</dt><dd>${name}</dd>\n`;

const suffix = (productName: string): string => productName && ` for ${productName}`;

const continueLink = ({ successUrl, sessionId }: CheckoutOrder) =>
  successUrl !== null &&
  html`<p><a class="button" href="${successUrl.replaceAll('{CHECKOUT_SESSION_ID}', sessionId ?? '')}">Continue</a></p>`;
