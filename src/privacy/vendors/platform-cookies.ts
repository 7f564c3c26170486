import { NamePatterns } from './name-patterns.ts';

const DAY = 86_400;
const MONTH = 2_629_800;
const YEAR = 31_557_600;

/** First-party cookies of common platforms, with their usual lifetime in seconds (0: session). */
const PLATFORM_COOKIES: Readonly<Record<string, number>> = {
  pavis_consent: YEAR,
  'pavis_*': 0,
  PHPSESSID: 0,
  JSESSIONID: 0,
  'ASP.NET_SessionId': 0,
  '.AspNetCore.*': 0,
  __RequestVerificationToken: 0,
  'ASPSESSIONID*': 0,
  'connect.sid': 0,
  laravel_session: 7_200,
  'XSRF-TOKEN': 7_200,
  csrftoken: YEAR,
  sessionid: 14 * DAY,
  _csrf: 0,
  CraftSessionId: 0,
  'SESS*': 0,
  'SSESS*': 0,
  fe_typo_user: 0,
  frontend: 3_600,
  form_key: 0,
  'mage-*': 0,
  'PrestaShop-*': 20 * DAY,
  OCSESSID: 0,
  ARRAffinity: 0,
  ARRAffinitySameSite: 0,
  SERVERID: 0,
  'BIGipServer*': 0,
  cookieconsent_status: YEAR,
  cookie_notice_accepted: MONTH,
  moove_gdpr_popup: YEAR,
  cc_cookie: 182 * DAY,
  klaro: 120 * DAY,
  tarteaucitron: YEAR,
  i18next: YEAR,
  lang: 0,
};

const names = new NamePatterns<{ category: 'functional'; seconds: number }>();
for (const [name, seconds] of Object.entries(PLATFORM_COOKIES)) {
  names.add(name, { category: 'functional', seconds });
}

/**
 * What is known of a cookie that a site's own software sets. Meant for first-party cookies that no
 * vendor claims.
 */
export const findPlatformCookie = (
  name: string,
): { readonly category: 'functional'; readonly seconds: number } | null =>
  names.find(name)[0]?.[0] ?? null;
