import { type Html, html } from '../../platform/html.ts';
import type { ViewDocument } from '../../platform/http/view-document.ts';

/** A licence as the Licence API shows it to its customer. */
export interface LicenceShown {
  id: string;
  key: string;
  mode: 'live' | 'test';
  tier: string;
  status: keyof typeof STATES;
  sites_allowed: number;
  sites_used: number;
  expires_at: string;
  paid_until: string;
  activations: {
    id: number;
    site_url: string;
    activated_at: string;
    deactivated_at: string | null;
  }[];
}

/** What the page that comes after something says of it, by the name in its address. */
export const NOTICES: Record<string, string> = {
  deactivated: 'The site is deactivated, and its slot is free for another.',
  'signed-out': 'You are signed out.',
  everywhere: 'You are signed out on every device.',
  ended: 'You were signed in for an hour, which is over. Please ask for a new link.',
  renewed:
    'Thank you. As soon as the payment is confirmed, which mostly takes seconds, your licence is renewed on the same key. You get an email then.',
};

const STATES = {
  active: { label: 'Active', isGood: true, text: undefined },
  expired: {
    label: 'Expired',
    isGood: false,
    text: 'You can renew it on the same key; its sites are kept.',
  },
  suspended: {
    label: 'Suspended',
    isGood: false,
    text: 'Please write to those who sold it to you.',
  },
  revoked: { label: 'Revoked', isGood: false, text: 'It cannot be used any more.' },
} as const;

const NEVER = '9999-';

export const capitalise = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const formatDay = (moment: string, dateStyle: 'long' | 'medium' = 'long'): Html =>
  html`<time datetime="${moment}">${new Intl.DateTimeFormat('en-GB', { dateStyle, timeZone: 'UTC' }).format(Date.parse(moment))}</time>`;

export const toPage = (
  title: string,
  main: Html,
  more: Partial<ViewDocument> = {},
): ViewDocument => ({
  language: 'en',
  dir: 'ltr',
  title: `${title} – Licences`,
  brand: 'Your licences',
  home: './',
  skip: 'Skip to the content',
  main,
  ...more,
});

const renderNotice = (notice: string | undefined): Html | false =>
  notice !== undefined && html`<p class="done" role="status">${notice}</p>`;

interface LinkForm {
  canBuy: boolean;
  notice?: string | undefined;
  email?: string;
  /** The licence that somebody wants to renew. */
  licence?: string | undefined;
  wrong?: { form: string } | { email: true };
}

/** Where nobody is signed in. */
export function linkForm({ canBuy, notice, email = '', licence, wrong }: LinkForm): ViewDocument {
  const title = licence ? 'Sign in to renew your licence' : 'Sign in';
  const wrongEmail = wrong && 'email' in wrong && 'Enter an e-mail address, as name@example.com.';
  return toPage(
    wrong ? 'Please look at this again' : title,
    html`${renderNotice(notice)}<h1>${title}</h1>
<p class="lead">${
      licence
        ? 'Only whoever has the licence can renew it. You need no password: we send you a link, and it leads to the renewal.'
        : 'See your licences and which sites use them. You need no password: we send you a link.'
    }</p>
${
  wrong &&
  html`<div class="summary" role="alert" tabindex="-1" autofocus>
<h2>Please look at this again</h2>
${'form' in wrong ? html`<p>${wrong.form}</p>` : html`<ul><li><a href="#email">${wrongEmail}</a></li></ul>`}
</div>`
}
<form method="post" action="link" novalidate accept-charset="utf-8">
${licence && html`<input type="hidden" name="licence" value="${licence}">`}
<div class="field">
<label for="email">E-mail address</label>
<span class="hint" id="email-hint">The one that your licence key was sent to.</span>
${wrongEmail && html`<span class="wrong" id="email-wrong">${wrongEmail}</span>`}
<input id="email" name="email" type="email" autocomplete="email" spellcheck="false" required value="${email}" aria-describedby="email-hint${wrongEmail && ' email-wrong'}"${wrongEmail && html` aria-invalid="true"`}>
</div>
<button>Send me a sign-in link</button>
</form>
${canBuy && html`<h2>No licence yet?</h2><p><a href="buy">Buy one</a>; the key comes by e-mail.</p>`}`,
  );
}

export const mailedPage = (): ViewDocument =>
  toPage(
    'Look into your mailbox',
    html`<h1>Look into your mailbox</h1>
<p class="lead">If this address has a licence, a sign-in link is on its way to it, or was sent in the last ten minutes. It works once, for 15 minutes.</p>
<p>Nothing there in a few minutes? Look among the unwanted mail, or <a href="./">try another address</a>.</p>`,
  );

/** The page of the mail's link. */
export const signInPage = (token: string, licence: string): ViewDocument =>
  toPage(
    'Sign in',
    html`<h1>Welcome back</h1>
<p class="lead">Press the button to sign in on this device for an hour.</p>
<form method="post" action="sign-in">
<input type="hidden" name="token" value="${token}">${licence && html`<input type="hidden" name="licence" value="${licence}">`}
<button>Sign in</button>
</form>`,
  );

export const overPage = (): ViewDocument =>
  toPage(
    'This link does not work any more',
    html`<h1>This link does not work any more</h1>
<p class="lead">It or another link to the same address was used already, or it is more than 15 minutes old.</p>
<p><a class="button" href="./">Ask for a new link</a></p>`,
  );

/** For whoever is signed in and follows the link to a licence of somebody else. */
export const notYoursPage = (form: string): ViewDocument =>
  toPage(
    'This licence is not in your account',
    html`<h1>This licence is not in your account</h1>
<p class="lead">Perhaps it belongs to another email address of yours. Sign out, then open the link again and sign in with the address that the email was sent to.</p>
<form method="post" action="sign-out"><input type="hidden" name="form" value="${form}"><input type="hidden" name="where" value="here">
<button>Sign out</button></form>
<p class="after"><a href="./">Your licences</a></p>`,
  );

interface Dashboard {
  licences: LicenceShown[];
  /** The last of these, if there are older ones. */
  older: string | undefined;
  canBuy: boolean;
  notice: string | undefined;
  /** What forms send along to be believed. */
  form: string;
}

/** What a customer has. */
export function dashboard({ licences, older, canBuy, notice, form }: Dashboard): ViewDocument {
  const signOut = (label: string, where: string) => html`<form method="post" action="sign-out">
<input type="hidden" name="form" value="${form}"><input type="hidden" name="where" value="${where}">
<button class="quiet small">${label}</button>
</form>`;
  return toPage(
    'Your licences',
    html`${renderNotice(notice)}<h1>Your licences</h1>
${
  licences.length === 0
    ? html`<p class="lead">You have no licence at present.</p>`
    : licences.map((licence) => licenceCard(licence, form, canBuy))
}
${older && html`<p><a href="./?before=${older}">Older licences</a></p>`}
${canBuy && html`<p><a class="button" href="buy">Buy ${licences.length > 0 ? 'another' : 'a'} licence</a></p>`}
<section class="screen"><h2>Signed in elsewhere?</h2>
<p>If you have lost a device, or used one that is not yours, end every sign-in at once.</p>
${signOut('Sign out everywhere', 'everywhere')}</section>`,
    { tools: html`<nav aria-label="Account">${signOut('Sign out', 'here')}</nav>` },
  );
}

function licenceCard(licence: LicenceShown, form: string, canRenew: boolean): Html {
  const { id, key, mode, tier, sites_allowed, sites_used, activations } = licence;
  const { label, isGood, text } = STATES[licence.status];
  const inUse = activations.filter(({ deactivated_at }) => deactivated_at === null);
  const { expires_at, paid_until } = licence;
  const end = expires_at.startsWith(NEVER) ? 'No end' : formatDay(expires_at);
  const isInGrace = licence.status === 'active' && paid_until !== expires_at;
  return html`<section class="card" aria-labelledby="${id} ${id}-id">
<div class="title"><h2 id="${id}">${capitalise(tier)}${mode === 'test' && ' (test)'}</h2><span class="badge ${isGood ? 'good' : 'bad'}">${label}</span></div>
${text && html`<p>${text}</p>`}
${isInGrace && html`<p>The paid period has ended. The licence works until ${end}: renew it before that.</p>`}
<dl>
<dt>Key</dt><dd><code>${key}</code></dd>
<dt>Licence</dt><dd><code class="copy" id="${id}-id">${id}</code></dd>
<dt>${licence.status === 'expired' ? 'Ended on' : 'Ends on'}</dt><dd>${end}</dd>
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
<button class="quiet small" aria-label="Deactivate ${site.site_url}">Deactivate</button>
</form></li>`,
      )}</ul>`
    : html`<p class="note after">No site uses it. Enter its key in the settings of your site.</p>`
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
        html`<tr role="row"><td role="cell">${site_url}</td><td role="cell" data-title="Activated">${formatDay(activated_at, 'medium')}</td><td role="cell" data-title="Deactivated">${deactivated_at === null ? 'in use' : formatDay(deactivated_at, 'medium')}</td></tr>`,
    )}</tbody>
</table></details>`
}
</section>`;
}

export function faultPage(status: number): ViewDocument {
  const [title, text] = {
    403: ['That came from another site', 'Please open this page afresh, and try again from here.'],
    404: ['There is nothing at this address', 'Perhaps the link was cut off on its way to you.'],
    503: ['We cannot answer right now', 'Please try again in a moment.'],
  }[status] ?? ['That did not work', 'Please go back and try again.'];
  return toPage(
    title ?? '',
    html`<h1>${title}</h1>
<p class="lead">${text}</p>
<p><a href="./">Your licences</a></p>`,
  );
}
