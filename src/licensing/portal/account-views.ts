import { Html, html } from '../../platform/html.ts';
import type { ViewDocument } from '../../platform/http/view-document.ts';
import { toCustomerPage } from '../customers/index.ts';
import type { PortalView, Target } from './context.ts';
import { licenceCard, type ShownLicence } from './licence-card.ts';

export const renderProblem = (
  { texts }: PortalView,
  message: Html | string | undefined,
): Html | undefined =>
  message === undefined
    ? undefined
    : html`<div class="summary" role="alert" tabindex="-1" autofocus><h2>${texts.problem}</h2>${message instanceof Html ? message : html`<p>${message}</p>`}</div>`;

const renderNotice = (notice: string | undefined): Html | false =>
  notice !== undefined && html`<p class="done" role="status">${notice}</p>`;

interface LinkForm {
  canBuy: boolean;
  notice?: string | undefined;
  email?: string | undefined;
  target?: Target;
  wrong?: { form: string } | { email: true };
}

const NO_TARGET: Target = { licence: '', site: '' };

const hiddenTarget = (target: Target): Html[] =>
  (['licence', 'site'] as const)
    .filter((name) => target[name])
    .map((name) => html`<input type="hidden" name="${name}" value="${target[name]}">`);

export function linkForm(
  view: PortalView,
  { canBuy, notice, email = '', target = NO_TARGET, wrong }: LinkForm,
): ViewDocument {
  const { signIn: texts, problem } = view.texts;
  const [title, lead] = target.site
    ? [texts.titleToSwitch, texts.leadToSwitch(target.site)]
    : target.licence
      ? [texts.titleToRenew, texts.leadToRenew]
      : [texts.title, texts.lead];
  const wrongEmail = wrong && 'email' in wrong && texts.emailWrong;
  return toCustomerPage(
    view,
    wrong ? problem : title,
    html`${renderNotice(notice)}<h1>${title}</h1>
<p class="lead">${lead}</p>
${wrong && renderProblem(view, 'form' in wrong ? wrong.form : html`<ul><li><a href="#email">${wrongEmail}</a></li></ul>`)}
<form method="post" action="link" novalidate accept-charset="utf-8">
${hiddenTarget(target)}
<div class="field">
<label for="email">${texts.email}</label>
<span class="hint" id="email-hint">${texts.emailHint}</span>
${wrongEmail && html`<span class="wrong" id="email-wrong">${wrongEmail}</span>`}
<input id="email" name="email" type="email" autocomplete="email" spellcheck="false" aria-required="true" value="${email}" aria-describedby="email-hint${wrongEmail && ' email-wrong'}"${wrongEmail && html` aria-invalid="true"`}>
</div>
<button>${texts.send}</button>
</form>
${canBuy && html`<h2>${texts.noLicence}</h2><p><a href="buy">${texts.buy}</a>. ${texts.buyMore}</p>`}`,
  );
}

export function mailedPage(view: PortalView): ViewDocument {
  const texts = view.texts.signIn;
  return toCustomerPage(
    view,
    texts.mailedTitle,
    html`<h1>${texts.mailedTitle}</h1>
<p class="lead">${texts.mailed}</p>
<p>${texts.notMailed} <a href="./">${texts.tryAgain}</a>.</p>`,
  );
}

/** The page that the email links to. */
export function signInPage(view: PortalView, token: string, target: Target): ViewDocument {
  const texts = view.texts.signIn;
  return toCustomerPage(
    view,
    texts.title,
    html`<h1>${texts.welcome}</h1>
<p class="lead">${texts.welcomeLead}</p>
<form method="post" action="sign-in">
<input type="hidden" name="token" value="${token}">${hiddenTarget(target)}
<button>${texts.button}</button>
</form>`,
  );
}

export function expiredLinkPage(view: PortalView): ViewDocument {
  const texts = view.texts.signIn;
  return toCustomerPage(
    view,
    texts.expiredTitle,
    html`<h1>${texts.expiredTitle}</h1>
<p class="lead">${texts.expired}</p>
<p><a class="button" href="./">${texts.requestNew}</a></p>`,
  );
}

/** For a link to another customer's licence. */
export function notYoursPage(view: PortalView, form: string): ViewDocument {
  const { signIn: texts, account } = view.texts;
  return toCustomerPage(
    view,
    texts.notYoursTitle,
    html`<h1>${texts.notYoursTitle}</h1>
<p class="lead">${texts.notYours}</p>
<form method="post" action="sign-out"><input type="hidden" name="form" value="${form}"><input type="hidden" name="where" value="here">
<button>${texts.signOut}</button></form>
<p class="after"><a href="./">${account.title}</a></p>`,
  );
}

interface Dashboard {
  licences: ShownLicence[];
  /** The text that was searched for; empty for all licences. */
  search: string;
  /** The address of older ones, if there are any. */
  older: string | undefined;
  canBuy: boolean;
  notice: string | undefined;
  /** CSRF token of the forms. */
  form: string;
}

/** Fewer licences are found at a glance. */
const SEARCHED_FROM = 5;

const searchForm = ({ texts: { account: texts } }: PortalView, search: string): Html =>
  html`<form method="get" action="./" role="search">
<div class="field">
<label for="search">${texts.search}</label>
<input id="search" name="search" type="search" maxlength="200" autocomplete="off" spellcheck="false" value="${search}">
</div>
<button class="quiet small">${texts.searchButton}</button>
${search && html`<p class="after"><a href="./">${texts.all}</a></p>`}
</form>`;

/** The licences of a customer. */
export function dashboard(
  view: PortalView,
  { licences, search, older, canBuy, notice, form }: Dashboard,
): ViewDocument {
  const { account: texts, signIn } = view.texts;
  const signOut = (label: string, where: string) => html`<form method="post" action="sign-out">
<input type="hidden" name="form" value="${form}"><input type="hidden" name="where" value="${where}">
<button class="quiet small">${label}</button>
</form>`;
  return toCustomerPage(
    view,
    texts.title,
    html`${renderNotice(notice)}<h1>${texts.title}</h1>
${(search || licences.length > SEARCHED_FROM) && searchForm(view, search)}
${
  licences.length === 0
    ? html`<p class="lead">${search ? texts.noneFound : texts.none}</p>`
    : licences.map((licence) => licenceCard(view, licence, form))
}
${older && html`<p><a href="${older}">${texts.older}</a></p>`}
${canBuy && html`<p><a class="button" href="buy">${licences.length > 0 ? texts.buyAnother : texts.buy}</a></p>`}
<section class="screen"><h2>${texts.otherDevices}</h2>
<p>${texts.otherDevicesText}</p>
${signOut(texts.signOutEverywhere, 'everywhere')}</section>`,
    { tools: html`<nav aria-label="${texts.menu}">${signOut(signIn.signOut, 'here')}</nav>` },
  );
}

export function errorView(view: PortalView, status: number): ViewDocument {
  const { faults, account } = view.texts;
  const [title, text] = faults[String(status) as keyof typeof faults] ?? faults.other;
  return toCustomerPage(
    view,
    title,
    html`<h1>${title}</h1>
<p class="lead">${text}</p>
<p><a href="./">${account.title}</a></p>`,
  );
}
