/**
 * Names that say nothing by themselves: many sites and vendors use them. They point to a vendor only
 * on a host of that vendor.
 */
const GENERIC_NAMES = new Set(
  `3pi CONSENT Conversion JSESSIONID LANG PID PREF SID UID WID XID _ab anj ar_debug audit
  callback car cart cid cip cookieTest cookie_check csrftoken csv dpm gdpr gravatar guest icu
  id5 ipc is-logged-in lang loglevel loid m-b m-s mid optout pid pixel player rpx
  server_session_id sess session_id test_cookie token_v2 tuuid uid unique_id userlang
  usprivacy uuid uvc visitor-id visitorId visitor_id x-cdn zdi`.split(/\s+/),
);

/** Whether a cookie of this name tells its vendor only together with the vendor's host. */
export const isGenericCookie = (name: string): boolean =>
  name.length < 3 || GENERIC_NAMES.has(name);
