import { formatDay, toIsoMoment } from '../../platform/clock.ts';
import { type Html, html } from '../../platform/html.ts';
import type { ViewDocument } from '../../platform/http/view-document.ts';
import type { Language } from '../branding/index.ts';
import { type CustomerView, toCustomerPage } from '../customers/index.ts';
import { type IssuedLicence, type Licence, UNLIMITED_SITES } from '../licences/index.ts';
import { NEVER, type Plan } from '../products/index.ts';
import { formatAmount, formatPrice } from './format-price.ts';
import type { CheckoutOrder } from './orders/store.ts';
import { staysUnlimited } from './planned-state.ts';
import type { Purchase } from './purchases/store.ts';
import { toSamplePrice } from './shown-prices.ts';
import { TEST_CHECKOUT_TEXTS } from './test-checkout-texts.ts';

const toPage = (view: CustomerView, title: string, main: Html): ViewDocument =>
  toCustomerPage(view, title, main, { home: '/account/' });

/** What a licence is for. */
export interface LicensedPlan {
  plan: Plan;
  /** Empty for the default product until the vendor gives it a name. */
  productName: string;
}

/** The order with its price, and the button that pays for it. */
export function payView(
  view: CustomerView,
  order: CheckoutOrder,
  { plan, productName }: LicensedPlan,
  { renewed, given }: { renewed: Licence | undefined; given?: string },
): ViewDocument {
  const { language } = view;
  const texts = TEST_CHECKOUT_TEXTS[language];
  const titleToRenew = renewed?.isTrial ? texts.buyTrial : texts.renew;
  const title = order.licence === null ? texts.buy : titleToRenew;
  const price = toSamplePrice(plan, order.billingInterval);
  const isWrong = given !== undefined;
  const isUnlimited = renewed !== undefined && staysUnlimited(renewed, order);
  const sites = isUnlimited ? UNLIMITED_SITES : order.quantity * plan.sitesAllowed;
  const total = { ...price, amount: price.amount * order.quantity };
  const email = html`<div class="field">
<label for="email">${texts.email}</label>
${isWrong && html`<span class="wrong" id="error" role="alert">${texts.emailWrong}</span>`}
<input id="email" name="email" type="email" autocomplete="email" maxlength="254" required value="${given}"${isWrong && html` aria-invalid="true" aria-describedby="error"`}>
</div>`;
  return toPage(
    view,
    title,
    html`<h1>${title}</h1>
<p class="note">${texts.test}</p>
<div class="card"><dl>
${productRow(view, productName)}<dt>${texts.tier}</dt><dd>${plan.label}</dd>
<dt>${texts.sites}</dt><dd>${formatSites(view, sites)}</dd>
<dt>${texts.billing}</dt><dd>${texts.intervals[order.billingInterval]}</dd>
${order.quantity > 1 && html`<dt>${texts.packages}</dt><dd>${order.quantity} × ${formatAmount(price.amount, price.currency, language)}</dd>`}
${order.licence !== null && html`<dt>${texts.licence}</dt><dd><code>${order.licence}</code></dd>`}
${order.licence === null && order.email && html`<dt>${texts.sentTo}</dt><dd>${order.email}</dd>`}
<dt>${texts.total}</dt><dd>${formatPrice(total, language)}</dd>
</dl></div>
<form method="post">
${!order.email && email}
<button>${texts.pay}</button>
</form>
${order.cancelUrl && html`<p class="after"><a href="${order.cancelUrl}">${texts.goBack}</a></p>`}`,
  );
}

/** Shows the key once. */
export function paidView(
  view: CustomerView,
  order: CheckoutOrder,
  { licence, key, email }: IssuedLicence,
  { plan, productName }: LicensedPlan,
): ViewDocument {
  const texts = TEST_CHECKOUT_TEXTS[view.language];
  return toPage(
    view,
    texts.keyTitle,
    html`<h1>${texts.thanks}</h1>
<p class="note">${texts.test}</p>
<p class="lead">${texts.keyShown(email)}</p>
<p class="done"><code class="copy">${key}</code></p>
<dl>
<dt>${texts.licence}</dt><dd><code>${licence.publicId}</code></dd>
${productRow(view, productName)}<dt>${texts.tier}</dt><dd>${plan.label}</dd>
<dt>${texts.sites}</dt><dd>${formatSites(view, licence.sitesAllowed)}</dd>
</dl>
${continueLink(view, order)}`,
  );
}

/**
 * What became of a paid order, shown right after the payment or when the page is opened again.
 * @param purchase undefined if the licence no longer exists
 */
export function outcomeView(
  view: CustomerView,
  order: CheckoutOrder,
  { productName }: LicensedPlan,
  outcome: 'renewed' | 'revoked' | 'repeated',
  purchase: Purchase | undefined,
): ViewDocument {
  const texts = TEST_CHECKOUT_TEXTS[view.language];
  const wasTrial = purchase?.replaced?.is_trial === 1;
  const wasPaid = wasTrial ? texts.wasBought : texts.wasRenewed;
  const [title, text] = {
    renewed: [
      wasTrial ? texts.boughtTitle : texts.renewedTitle,
      purchase?.expiresAt === NEVER ? texts.renewedForever : texts.renewed,
    ] as const,
    revoked: [texts.revokedTitle, texts.revoked] as const,
    repeated: [texts.paidTitle, order.licence === null ? texts.keySent : wasPaid] as const,
  }[outcome];
  const licence =
    order.licence !== null &&
    html`<dt>${texts.licence}</dt><dd><code>${order.licence}</code></dd>\n`;
  return toPage(
    view,
    title,
    html`<h1>${title}</h1>
<p class="note">${texts.test}</p>
<p class="lead">${text}</p>
<dl>${licence}${productRow(view, productName)}</dl>
${continueLink(view, order)}`,
  );
}

/** Stands in for Stripe's Billing Portal. */
export function portalView(
  view: CustomerView,
  { licenceId, expiresAt, renews }: Purchase,
  { plan, productName }: LicensedPlan,
): ViewDocument {
  const texts = TEST_CHECKOUT_TEXTS[view.language];
  return toPage(
    view,
    texts.subscription,
    html`<h1>${texts.subscription}</h1>
<p class="note">${texts.noCard}</p>
<div class="card"><dl>
<dt>${texts.licence}</dt><dd><code>${licenceId}</code></dd>
${productRow(view, productName)}<dt>${texts.tier}</dt><dd>${plan.label}</dd>
${
  expiresAt === NEVER
    ? html`<dt>${texts.validUntil}</dt><dd>${texts.noEnd}</dd>`
    : html`<dt>${texts.paidUntil}</dt><dd>${formatDay(view.language, toIsoMoment(expiresAt))}</dd>
<dt>${texts.renewal}</dt><dd>${renews ? texts.automatic : texts.cancelled}</dd>`
}
</dl></div>
${renews && html`<form method="post"><button>${texts.cancel}</button></form>`}
<p class="after"><a href="/account/">${texts.back}</a></p>`,
  );
}

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

const productRow = ({ language }: CustomerView, name: string) =>
  name && html`<dt>${TEST_CHECKOUT_TEXTS[language].product}</dt><dd>${name}</dd>\n`;

const formatSites = ({ language }: CustomerView, sites: number) =>
  sites >= UNLIMITED_SITES ? TEST_CHECKOUT_TEXTS[language].unlimited : sites;

const continueLink = ({ language }: CustomerView, { successUrl, sessionId }: CheckoutOrder) =>
  successUrl !== null &&
  html`<p><a class="button" href="${successUrl.replaceAll('{CHECKOUT_SESSION_ID}', sessionId ?? '')}">${TEST_CHECKOUT_TEXTS[language].goOn}</a></p>`;
