/**
 * Names that say nothing by themselves: many sites and vendors use them. They point to a vendor only
 * on a host of that vendor.
 */
const GENERIC_NAMES = new Set(
  `3pi CONSENT Conversion JSESSIONID LANG PID PREF SID UID WID XID _ab anj ar_debug audit
  callback car cart cid cip cookieTest cookie_check csrftoken csv dpm gdpr gravatar guest icu
  id5 ipc is-logged-in keep_alive lang loglevel loid m-b m-s mid optout pid pixel player rpx
  server_session_id sess session_id test_cookie token_v2 tuuid uid unique_id userReferer userlang
  usprivacy uuid uvc visitor-id visitorId visitor_id x-cdn zdi`.split(/\s+/),
);

/**
 * Names that only begin like those of a vendor. After these short prefixes vendors append an id, which has a digit.
 * Excepted are the names without one that vendors document, at the beginning of the second line. No cookie of Freshworks is
 * told by `fc_`.
 */
const GENERIC_BEGINNINGS = [
  /^fc_./,
  /^(?!IR_(?:gbd|PI)$|mf_(?:record_)?user$|om-(?:global|interaction|success)-cookie$)(?:IR_|amp_|lpv|mf_|om-|visitor_id)\D+$/,
];

/** Whether a cookie of this name tells its vendor only together with the vendor's host. */
export const isGenericCookie = (name: string): boolean =>
  name.length < 3 ||
  GENERIC_NAMES.has(name) ||
  GENERIC_BEGINNINGS.some((beginning) => beginning.test(name));
