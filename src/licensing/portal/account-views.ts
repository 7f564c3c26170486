import { Html, html } from '../../platform/html.ts';
import type { ViewDocument } from '../../platform/http/view-document.ts';
import type { LicenceInfo } from '../account/index.ts';
import { toCustomerPage } from '../customers/index.ts';

/** Messages after a redirect, by the value of `done` in the URL. */
export const NOTICES: Record<string, string> = {
  deactivated: 'Site deactivated. You can activate another one.',
  'signed-out': 'You are signed out.',
  everywhere: 'You are signed out on all devices.',
  ended: 'Your session has expired after one hour. Request a new sign-in link.',
  renewed:
    'Thank you. Your licence is renewed, with the same key, as soon as the payment is confirmed. This usually takes a few seconds. We then send you an email.',
};

const STATUSES = {
  active: { label: 'Active', text: undefined },
  expired: {
    label: 'Expired',
    text: 'You can renew it. The key and activated sites stay the same.',
  },
  suspended: { label: 'Suspended', text: 'Contact the vendor.' },
  revoked: { label: 'Revoked', text: 'It can no longer be used.' },
} as const;

export const formatDay = (moment: string, dateStyle: 'long' | 'medium' = 'long'): Html | string =>
  moment.startsWith('9999-')
    ? 'Lifetime'
    : html`<time datetime="${moment}">${new Intl.DateTimeFormat('en-GB', { dateStyle, timeZone: 'UTC' }).format(Date.parse(moment))}</time>`;

export const renderProblem = (message: Html | string | undefined): Html | undefined =>
  message === undefined
    ? undefined
    : html`<div class="summary" role="alert" tabindex="-1" autofocus><h2>There is a problem</h2>${message instanceof Html ? message : html`<p>${message}</p>`}</div>`;

const renderNotice = (notice: string | undefined): Html | false =>
  notice !== undefined && html`<p class="done" role="status">${notice}</p>`;

interface LinkForm {
  canBuy: boolean;
  notice?: string | undefined;
  email?: string;
  /** Identifier of the licence to renew. */
  licence?: string | undefined;
  wrong?: { form: string } | { email: true };
}

export function linkForm({ canBuy, notice, email = '', licence, wrong }: LinkForm): ViewDocument {
  const title = licence ? 'Sign in to renew your licence' : 'Sign in';
  const wrongEmail =
    wrong && 'email' in wrong && 'Enter an email address, for example name@example.com.';
  return toCustomerPage(
    wrong ? 'There is a problem' : title,
    html`${renderNotice(notice)}<h1>${title}</h1>
<p class="lead">${
      licence
        ? 'Sign in to renew your licence. You do not need a password: we email you a sign-in link.'
        : 'View your licences and activated sites. You do not need a password: we email you a sign-in link.'
    }</p>
${wrong && renderProblem('form' in wrong ? wrong.form : html`<ul><li><a href="#email">${wrongEmail}</a></li></ul>`)}
<form method="post" action="link" novalidate accept-charset="utf-8">
${licence && html`<input type="hidden" name="licence" value="${licence}">`}
<div class="field">
<label for="email">Email address</label>
<span class="hint" id="email-hint">The address we sent your licence key to.</span>
${wrongEmail && html`<span class="wrong" id="email-wrong">${wrongEmail}</span>`}
<input id="email" name="email" type="email" autocomplete="email" spellcheck="false" required value="${email}" aria-describedby="email-hint${wrongEmail && ' email-wrong'}"${wrongEmail && html` aria-invalid="true"`}>
</div>
<button>Email me a sign-in link</button>
</form>
${canBuy && html`<h2>No licence yet?</h2><p><a href="buy">Buy a licence</a>. We email you the key.</p>`}`,
  );
}

export const mailedPage = (): ViewDocument =>
  toCustomerPage(
    'Check your inbox',
    html`<h1>Check your inbox</h1>
<p class="lead">If this address has a licence, we have emailed a sign-in link to it, now or in the last ten minutes. It works once, within 15 minutes.</p>
<p>No email after a few minutes? Check your spam folder, or <a href="./">try another address</a>.</p>`,
  );

/** The page that the email links to. */
export const signInPage = (token: string, licence: string): ViewDocument =>
  toCustomerPage(
    'Sign in',
    html`<h1>Welcome back</h1>
<p class="lead">Sign in on this device for one hour.</p>
<form method="post" action="sign-in">
<input type="hidden" name="token" value="${token}">${licence && html`<input type="hidden" name="licence" value="${licence}">`}
<button>Sign in</button>
</form>`,
  );

export const expiredLinkPage = (): ViewDocument =>
  toCustomerPage(
    'This link no longer works',
    html`<h1>This link no longer works</h1>
<p class="lead">It was already used, replaced by a newer link, or has expired after 15 minutes.</p>
<p><a class="button" href="./">Request a new link</a></p>`,
  );

/** For a link to another customer's licence. */
export const notYoursPage = (form: string): ViewDocument =>
  toCustomerPage(
    'This licence is not in your account',
    html`<h1>This licence is not in your account</h1>
<p class="lead">It may belong to another of your email addresses. Sign out, open the link again, and sign in with the address that received the email.</p>
<form method="post" action="sign-out"><input type="hidden" name="form" value="${form}"><input type="hidden" name="where" value="here">
<button>Sign out</button></form>
<p class="after"><a href="./">Your licences</a></p>`,
  );

interface Dashboard {
  licences: LicenceInfo[];
  /** Identifier of the last of these, if there are older ones. */
  older: string | undefined;
  canBuy: boolean;
  notice: string | undefined;
  /** CSRF token of the forms. */
  form: string;
}

/** The licences of a customer. */
export function dashboard({ licences, older, canBuy, notice, form }: Dashboard): ViewDocument {
  const signOut = (label: string, where: string) => html`<form method="post" action="sign-out">
<input type="hidden" name="form" value="${form}"><input type="hidden" name="where" value="${where}">
<button class="quiet small">${label}</button>
</form>`;
  return toCustomerPage(
    'Your licences',
    html`${renderNotice(notice)}<h1>Your licences</h1>
${
  licences.length === 0
    ? html`<p class="lead">You have no licences.</p>`
    : licences.map((licence) => licenceCard(licence, form, canBuy))
}
${older && html`<p><a href="./?before=${older}">Older licences</a></p>`}
${canBuy && html`<p><a class="button" href="buy">Buy ${licences.length > 0 ? 'another' : 'a'} licence</a></p>`}
<section class="screen"><h2>Other devices</h2>
<p>Sign out on all devices, for example if you have lost one.</p>
${signOut('Sign out everywhere', 'everywhere')}</section>`,
    { tools: html`<nav aria-label="Account">${signOut('Sign out', 'here')}</nav>` },
  );
}

function licenceCard(licence: LicenceInfo, form: string, canRenew: boolean): Html {
  const { id, key, mode, plan, sites_allowed, sites_used, activations } = licence;
  const { label, text } = STATUSES[licence.status];
  const inUse = activations.filter(({ deactivated_at }) => deactivated_at === null);
  const { expires_at, paid_until } = licence;
  const end = formatDay(expires_at);
  const isInGrace = licence.status === 'active' && paid_until !== expires_at;
  return html`<section class="card" aria-labelledby="${id} ${id}-id">
<div class="title"><h2 id="${id}">${plan}${mode === 'test' && ' (test)'}</h2><span class="badge ${licence.status === 'active' ? 'good' : 'bad'}">${label}</span></div>
${text && html`<p>${text}</p>`}
${isInGrace && html`<p>The paid period has ended. The licence keeps working until ${end}. Renew it before then.</p>`}
<dl>
<dt>Key</dt><dd><code>${key}</code></dd>
<dt>Licence</dt><dd><code class="copy" id="${id}-id">${id}</code></dd>
<dt>${licence.status === 'expired' ? 'Expired on' : 'Expires on'}</dt><dd>${end}</dd>
${paid_until !== expires_at && html`<dt>Paid until</dt><dd>${formatDay(paid_until)}</dd>`}
<dt>Sites in use</dt><dd>${sites_used} of ${sites_allowed}</dd>
</dl>
${
  canRenew &&
  licence.status !== 'revoked' &&
  html`<p><a class="button${licence.status === 'expired' ? '' : ' quiet'}" href="renew?licence=${id}" aria-label="Renew or change ${id}">${licence.status === 'expired' ? 'Renew' : 'Renew or change'}</a></p>`
}
${
  inUse.length > 0
    ? html`<h3>Sites</h3><ul class="rows">${inUse.map(
        (
          site,
        ) => html`<li><span class="what">${site.site_url}<span class="note">Since ${formatDay(site.activated_at)}</span></span>
<form method="post" action="deactivate">
<input type="hidden" name="form" value="${form}"><input type="hidden" name="licence" value="${id}"><input type="hidden" name="activation" value="${site.id}">
<button class="quiet small" aria-label="Deactivate site ${site.site_url}">Deactivate site</button>
</form></li>`,
      )}</ul>`
    : html`<p class="note after">No activated sites. Enter the key in the settings of your site.</p>`
}
${
  activations.length > 0 &&
  html`<details><summary>History</summary>
<table role="table" aria-label="History of ${id}">
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Site</th><th scope="col" role="columnheader">Activated</th><th scope="col" role="columnheader">Deactivated</th></tr></thead>
<tbody role="rowgroup">${activations
    .toReversed()
    .map(
      ({ site_url, activated_at, deactivated_at }) =>
        html`<tr role="row"><td role="cell">${site_url}</td><td role="cell" data-title="Activated">${formatDay(activated_at, 'medium')}</td><td role="cell" data-title="Deactivated">${deactivated_at === null ? 'active' : formatDay(deactivated_at, 'medium')}</td></tr>`,
    )}</tbody>
</table></details>`
}
</section>`;
}

export function errorView(status: number): ViewDocument {
  const [title, text] = {
    403: [
      'Request rejected',
      'The form was sent from another site. Reload the page and try again.',
    ],
    404: ['Page not found', 'Check the address. The link may be incomplete.'],
    503: ['Service unavailable', 'Try again in a moment.'],
  }[status] ?? ['Something went wrong', 'Go back and try again.'];
  return toCustomerPage(
    title ?? '',
    html`<h1>${title}</h1>
<p class="lead">${text}</p>
<p><a href="./">Your licences</a></p>`,
  );
}
