import type { InvalidFieldError } from '../../platform/errors.ts';
import { type Html, html } from '../../platform/html.ts';
import type { ViewDocument } from '../../platform/http/view-document.ts';
import type { Choices, Offer } from './choices.ts';
import { lifeField, rightsFields } from './limit-fields.ts';

const toPage = (title: string, main: Html): ViewDocument => ({
  language: 'en',
  dir: 'ltr',
  title: `${title} – Pavis`,
  brand: 'Pavis',
  home: '../admin/',
  skip: 'Skip to the content',
  main,
});

const renderSummary = (wrong: string | undefined): Html | false =>
  wrong !== undefined &&
  html`<div class="summary" role="alert" tabindex="-1" autofocus><h2>There is a problem</h2><p>${wrong}</p></div>`;

interface Form {
  /** Relative to the page. */
  action: string;
  /** May be empty. */
  appName: string;
  /** The error to show. */
  wrong?: string | undefined;
}

const nameApplication = (appName: string, fallback = 'An application'): string =>
  appName === '' ? fallback : `“${appName}”`;

export const signInForm = ({
  action,
  appName,
  wrong,
  login = '',
}: Form & { login?: string }): ViewDocument =>
  toPage(
    wrong === undefined ? 'Sign in' : 'Error: Sign in',
    html`${renderSummary(wrong)}<h1>Sign in to authorise an application</h1>
<p class="lead">${nameApplication(appName)} asks for access to your account. Sign in to decide.</p>
<form method="post" action="${action}" accept-charset="utf-8">
<div class="field">
<label for="login">Login or email address</label>
<input id="login" name="login" autocomplete="username" autocapitalize="none" spellcheck="false" required value="${login}">
</div>
<div class="field">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
</div>
<button>Sign in</button>
</form>`,
  );

/** @param login of the user whom the form asks for the code */
export const codeForm = ({
  action,
  appName,
  login,
  wrong,
}: Form & { login: string }): ViewDocument =>
  toPage(
    wrong === undefined ? 'Confirm that it is you' : 'Error: Confirm that it is you',
    html`${renderSummary(wrong)}<h1>Confirm that it is you</h1>
<p class="lead">${nameApplication(appName)} asks for access to your account. Enter a code to decide.</p>
<form method="post" action="${action}" accept-charset="utf-8">
<input type="hidden" name="login" value="${login}">
<div class="field">
<label for="code">Code</label>
<span class="hint" id="code-hint">The 6 digits that your authenticator app shows, or one of your recovery codes.</span>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required maxlength="40" aria-describedby="code-hint"${wrong !== undefined && html` aria-invalid="true"`}>
</div>
<button>Confirm</button>
</form>
<p class="after">To use a passkey, <a href="../admin/">sign in to the console</a> in this browser, then open this page again.</p>`,
  );

interface ApprovalForm extends Omit<Form, 'wrong'> {
  login: string;
  role: string;
  nonce: string;
  /** What is filled in. */
  choices: Choices;
  offer: Offer;
  /** The error to show. */
  wrong?: InvalidFieldError | undefined;
  /** The host that receives the application password; undefined: it is shown. */
  successHost: string | undefined;
  rejectUrl: string;
}

const ROLE_ACCESS: Record<string, string> = {
  administrator: 'everything that you can: read and change all data, settings and users',
  editor: 'what an editor can: handle privacy requests and change the texts of the banner',
  viewer: 'what a viewer can: read statistics, scans and settings',
};
const OWN_ACCOUNT = 'what you can: use your own account only';

export const approvalForm = ({
  action,
  appName,
  login,
  role,
  nonce,
  choices,
  offer,
  successHost,
  rejectUrl,
  wrong,
}: ApprovalForm): ViewDocument =>
  toPage(
    wrong === undefined ? 'Authorise an application' : 'Error: Authorise an application',
    html`${renderSummary(wrong?.reason)}<h1>Authorise an application</h1>
<p class="lead">${nameApplication(appName)} asks for access to your account. Approve only applications that you know and trust.</p>
<dl>
<dt>Signed in as</dt><dd>${login}</dd>
<dt>Access</dt><dd>Through the REST API, to what you choose below and no more than your role (${role}) allows.</dd>
<dt>Application password</dt><dd>${
      successHost === undefined
        ? 'It is shown once. Enter it in the application.'
        : html`It is sent to <strong>${successHost}</strong> when you approve.`
    }</dd>
</dl>
<form method="post" action="${action}" accept-charset="utf-8">
<input type="hidden" name="_wpnonce" value="${nonce}">
<div class="field">
<label for="name">Name of the application password</label>
<span class="hint" id="name-hint">You revoke the access under this name, in the console under your account.</span>
<input id="name" name="name" required maxlength="100" value="${choices.name}" aria-describedby="name-hint"${wrong?.field === 'name' && html` aria-invalid="true"`}>
</div>
${lifeField(choices)}
${rightsFields(choices, offer, {
  appName: nameApplication(appName, 'The application'),
  access: ROLE_ACCESS[role] ?? OWN_ACCOUNT,
  wrong: wrong?.field === 'scopes' ? wrong.reason : undefined,
})}
<button name="approve" value="1">Approve</button>
</form>
<p class="after"><a href="${rejectUrl}">Do not approve</a></p>`,
  );

export const secondFactorPage = (): ViewDocument =>
  toPage(
    'Set up a second factor',
    html`<h1>Set up a second factor</h1>
<p class="lead">Your role requires a second factor, and you have none. Set up an authenticator app or a passkey in the console, then open this page again.</p>
<p><a class="button" href="../admin/second-factor">Set up a second factor</a></p>`,
  );

export const passwordPage = (appName: string, password: string): ViewDocument =>
  toPage(
    'Application password',
    html`<h1>Application password</h1>
<p class="lead">Enter this password in ${nameApplication(appName, 'the application')}. It is shown only now.</p>
<p class="done" role="status"><code>${password}</code></p>
<p>You can revoke it at any time <a href="../admin/profile">in the console</a>, under your account.</p>`,
  );

const FAULTS: Record<number, string> = {
  400: 'The address of this page is not valid. Start again in the application.',
  403: 'The form has expired or comes from another site. Nothing was approved. Start again in the application.',
  413: 'The form is too large.',
  415: 'The form cannot be read.',
  503: 'The database does not answer. Try again in a moment.',
};

/** @param why replaces the default text of the status */
export const faultPage = (status: number, why = FAULTS[status]): ViewDocument =>
  toPage(
    'The application cannot be authorised',
    html`<h1>The application cannot be authorised</h1>
<p class="lead">${why ?? 'Something went wrong on our side. It has been logged.'}</p>
<p><a href="../admin/">Go to the console</a></p>`,
  );
