import type { FastifyReply } from 'fastify';
import { toIsoMoment } from '../../platform/clock.ts';
import { escapeHtml } from '../../platform/html.ts';
import { getTierSites, type Licence, NEVER } from '../licences/index.ts';
import type { CheckoutOrder } from './orders/store.ts';
import type { Purchase } from './purchases/store.ts';

interface Page {
  status?: number;
  title: string;
  /** HTML. */
  main: string;
}

const STYLE = `
  :root { color-scheme: light dark; --ink: #14213d; --paper: #fbfaf7; --card: #fff; --line: #dcd8cc; --accent: #9a3412; --button: #14213d; --on-button: #fff; --soft: #55607a }
  @media (prefers-color-scheme: dark) { :root { --ink: #eceae4; --paper: #12151c; --card: #1a1f2a; --line: #303644; --accent: #fb923c; --button: #f0b27a; --on-button: #14213d; --soft: #a3abbd } }
  * { box-sizing: border-box }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif }
  main { max-width: 34rem; margin: 0 auto; padding: clamp(2rem, 9vh, 6rem) 1.25rem 3rem }
  svg { width: 3rem; height: 3.5rem; display: block; margin-bottom: 1.25rem }
  h1 { font-size: 2.25rem; line-height: 1.15; letter-spacing: -.02em; margin: 0 0 .5rem }
  p { margin: 0 0 1.5rem; color: var(--soft) }
  .note { display: inline-block; margin: 0 0 1rem; padding: .15rem .7rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--soft); font-size: .9rem }
  dl { display: grid; grid-template-columns: 8rem 1fr; margin: 0 0 1.75rem; border-top: 1px solid var(--line) }
  h1 + dl { margin-top: 1.5rem }
  dt, dd { margin: 0; padding: .7rem .25rem; border-bottom: 1px solid var(--line) }
  dt { color: var(--soft) }
  dd { font-weight: 600; overflow-wrap: anywhere }
  label { display: block; margin-bottom: .35rem; font-weight: 600 }
  input { width: 100%; margin-bottom: 1.5rem; padding: .7rem .8rem; border: 1px solid var(--soft); border-radius: .5rem; background: var(--card); color: inherit; font: inherit }
  button, .button { display: inline-block; padding: .75rem 1.4rem; border: 0; border-radius: .5rem; background: var(--button); color: var(--on-button); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer }
  .quiet { display: inline-block; padding: .75rem 0; margin-left: 1rem; color: inherit }
  .key { display: block; margin: 0 0 1.5rem; padding: 1rem; border: 1px dashed var(--accent); border-radius: .5rem; background: var(--card); font: 600 1.05rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; user-select: all }
  .error { margin-bottom: .5rem; color: var(--accent); font-weight: 600 }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
  @media (max-width: 32rem) { dl { grid-template-columns: 1fr } dt { border: 0; padding-bottom: 0 } }
`;

const SHIELD =
  '<svg viewBox="0 0 48 56" aria-hidden="true"><path d="M4 4h40v24c0 14-9 21-20 26C13 49 4 42 4 28z" fill="none" stroke="currentColor" stroke-width="4" stroke-linejoin="round"/><path d="M24 4v50" stroke="var(--accent)" stroke-width="4"/></svg>';

/** Sends a page without scripts, external resources or framing. */
export function sendPage(reply: FastifyReply, { status = 200, title, main }: Page): FastifyReply {
  reply.header(
    'content-security-policy',
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  reply.header('referrer-policy', 'no-referrer');
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – Pavis</title>
<style>${STYLE}</style>
<main>
  ${SHIELD}
  ${main}
</main>
</html>
`);
}

const INTERVAL_WORDS = {
  month: 'Monthly',
  year: 'Yearly',
  once: 'Lifetime',
} as const;
const TEST_NOTE = '<p class="note">Test checkout: no payment is taken</p>';

/** The order, and the button that pays for it. */
export function payPage(order: CheckoutOrder, wrong?: { error: string; given: string }): Page {
  const { error, given } = wrong ?? {};
  const isRenewal = order.licence !== null;
  const title = isRenewal ? 'Renew a licence' : 'Buy a licence';
  const email = isRenewal
    ? `<dt>Licence</dt><dd>${order.licence}</dd>`
    : order.email
      ? `<dt>Key sent to</dt><dd>${escapeHtml(order.email)}</dd>`
      : '';
  const ask = order.email
    ? ''
    : `<label for="email">Email address for the licence key</label>
    ${error ? `<p class="error" id="error" role="alert">${escapeHtml(error)}</p>` : ''}
    <input id="email" name="email" type="email" autocomplete="email" maxlength="254" required${given ? ` value="${escapeHtml(given)}"` : ''}${error ? ' aria-invalid="true" aria-describedby="error"' : ''}>`;
  const back = order.cancelUrl
    ? `<a class="quiet" href="${escapeHtml(order.cancelUrl)}">Go back</a>`
    : '';
  return {
    ...(error && { status: 400 }),
    title,
    main: `${TEST_NOTE}
  <h1>${title}</h1>
  <dl>
    <dt>Tier</dt><dd>${order.tier}</dd>
    <dt>Sites</dt><dd>${order.quantity * getTierSites(order.tier)}</dd>
    <dt>Billing</dt><dd>${INTERVAL_WORDS[order.interval]}</dd>
    ${email}
  </dl>
  <form method="post">
    ${ask}
    <button>Pay with test money</button>${back}
  </form>`,
  };
}

/** Shows the key, once. */
export function paidPage(
  order: CheckoutOrder,
  { licence, key, email }: { licence: Licence; key: string; email: string },
): Page {
  return {
    title: 'Your licence key',
    main: `${TEST_NOTE}
  <h1>Thank you</h1>
  <p>This is your licence key. It is shown only once, and we have emailed it to ${escapeHtml(email)}.</p>
  <code class="key">${key}</code>
  <dl>
    <dt>Licence</dt><dd>${licence.publicId}</dd>
    <dt>Tier</dt><dd>${licence.tier}</dd>
    <dt>Sites</dt><dd>${licence.sitesAllowed}</dd>
  </dl>
  ${continueLink(order)}`,
  };
}

/** After a licence was renewed. */
export const renewedPage = (order: CheckoutOrder): Page => ({
  title: 'Your licence is renewed',
  main: `${TEST_NOTE}
  <h1>Your licence is renewed</h1>
  <p>Licence ${order.licence} keeps its key, and your sites stay activated. We have emailed you the new
  expiry date.</p>
  ${continueLink(order)}`,
});

/** Stands in for Stripe's Billing Portal. */
export const portalPage = ({ licenceId, tier, expiresAt, renews }: Purchase): Page => ({
  title: 'Your subscription',
  main: `<p class="note">Test checkout: there is no card and there are no invoices</p>
  <h1>Your subscription</h1>
  <dl>
    <dt>Licence</dt><dd>${licenceId}</dd>
    <dt>Tier</dt><dd>${tier}</dd>
    <dt>Paid until</dt><dd>${expiresAt === NEVER ? 'Lifetime' : toIsoMoment(expiresAt).slice(0, 10)}</dd>
    <dt>Renewal</dt><dd>${renews ? 'automatic' : 'cancelled'}</dd>
  </dl>
  ${renews ? '<form method="post"><button>Cancel the subscription</button></form>' : ''}`,
});

/** For a checkout that was already paid. */
export const paidBeforePage = (order: CheckoutOrder): Page => ({
  title: 'Already paid',
  main: `${TEST_NOTE}
  <h1>This checkout is already paid</h1>
  ${
    order.licence === null
      ? '<p>The licence key was shown once and emailed.</p>'
      : `<p>Licence ${order.licence} is renewed with the same key.</p>`
  }
  ${continueLink(order)}`,
});

export const unknownPage = (): Page => ({
  status: 404,
  title: 'Not found',
  main: `<h1>Checkout not found</h1>
  <p>A checkout expires after one day. Please start again.</p>`,
});

export const successPage = (): Page => ({
  title: 'Thank you',
  main: `<h1>Thank you</h1>
  <p>We email your licence key as soon as the payment is confirmed. This usually takes a few seconds. Enter the key in
  the settings of your site.</p>`,
});

export const cancelledPage = (): Page => ({
  title: 'Checkout cancelled',
  main: `<h1>Checkout cancelled</h1>
  <p>You have not been charged. You can start again at any time.</p>`,
});

function continueLink({ successUrl, sessionId }: CheckoutOrder): string {
  if (!successUrl) return '';
  const url = successUrl.replaceAll('{CHECKOUT_SESSION_ID}', sessionId ?? '');
  return `<a class="button" href="${escapeHtml(url)}">Continue</a>`;
}
