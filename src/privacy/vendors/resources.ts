import { createVendorIndex, type VendorPatterns } from './match.ts';

/** Addresses that count a visit or an action, usually asked for as an image. */
const PIXELS: VendorPatterns = {
  slug: 'pixels',
  isBuiltin: true,
  cookies: [],
  domains: ['trc.taboola.com'],
  urlPrefixes:
    `alb.reddit.com/rp.gif analytics.google.com/g/collect analytics.tiktok.com/api/v2/pixel
    analytics.twitter.com/i/adsct bat.bing.com/action/0 ct.pinterest.com/v3/
    doubleclick.net/activity doubleclick.net/pagead/viewthroughconversion facebook.com/tr/
    google-analytics.com/collect google-analytics.com/g/collect google.com/pagead/1p-
    googleadservices.com/pagead/conversion hm.baidu.com/hm.gif mc.yandex.ru/watch/
    pixel.quantserve.com/pixel pixel.wp.com/g.gif px.ads.linkedin.com/collect q.quora.com/_/ad/
    sb.scorecardresearch.com/p t.co/i/adsct tr.outbrain.com/unifiedPixel tr.snapchat.com/p`.split(
      /\s+/,
    ),
  fileNames: ['matomo.php', 'piwik.php'],
};

/** Where forms of other companies send what a visitor fills in. */
const FORM_RECEIVERS: VendorPatterns = {
  slug: 'form-receivers',
  isBuiltin: true,
  cookies: [],
  domains: `activehosted.com aweber.com cognitoforms.com constantcontact.com convertkit.com
    createsend.com formspree.io formstack.com formsubmit.co forms.hubspot.com getform.io
    getresponse.com go.pardot.com hsforms.com jotform.com kit.com klaviyo.com list-manage.com
    mailerlite.com mktoweb.com paypal.com sendinblue.com sibforms.com typeform.com usebasin.com
    web3forms.com webto.salesforce.com wufoo.com zoho.com`.split(/\s+/),
  urlPrefixes: ['docs.google.com/forms/'],
};

const pixels = createVendorIndex([PIXELS]);
const formReceivers = createVendorIndex([FORM_RECEIVERS]);

/** Whether a URL is one that counts visits or actions. */
export const isPixelUrl = (url: string): boolean => pixels.byUrl(url) !== null;

/** Whether a form that is sent to this URL goes to a known form or mailing service. */
export const isFormServiceUrl = (url: string): boolean => formReceivers.byUrl(url) !== null;
