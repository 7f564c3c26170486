import { NamePatterns } from './name-patterns.ts';

/** First-party cookies of common platforms and consent tools. */
const PLATFORM_COOKIES = `pavis_consent pavis_* PHPSESSID JSESSIONID ASP.NET_SessionId .AspNetCore.*
  __RequestVerificationToken ASPSESSIONID* connect.sid laravel_session XSRF-TOKEN csrftoken
  sessionid _csrf CraftSessionId SESS* SSESS* fe_typo_user frontend form_key mage-* PrestaShop-*
  OCSESSID ARRAffinity ARRAffinitySameSite SERVERID BIGipServer* cookieconsent_status
  cookie_notice_accepted moove_gdpr_popup cc_cookie klaro tarteaucitron i18next lang`;

const names = new NamePatterns<true>();
for (const name of PLATFORM_COOKIES.split(/\s+/)) names.add(name, true);

/** Whether the software of the site sets this cookie, so that it is functional. For first-party cookies without a vendor. */
export const isPlatformCookie = (name: string): boolean => names.find(name).length > 0;
