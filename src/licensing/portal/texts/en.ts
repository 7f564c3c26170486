/** The texts of the pages for customers, in English. */
export const en = {
  problem: 'There is a problem',
  notices: {
    switched:
      'The site is active. To finish, save the licence key again in the settings of that site.',
    deactivated: 'Site deactivated.',
    'signed-out': 'You are signed out.',
    'new-key': 'A new key is on its way to your email address. The old key works for 7 more days.',
    'key-sent':
      'The current key of this licence is less than an hour old. Check your inbox and the spam folder, or try again later.',
    everywhere: 'You are signed out on all devices.',
    ended:
      'Your session has ended. A session lasts one hour, or until you sign out in another tab or on all devices. Request a new sign-in link.',
    bought:
      'Thank you. The licence is yours, with the same key, as soon as the payment is confirmed. This usually takes a few seconds. We then send you an email.',
    renewed:
      'Thank you. Your licence is renewed, with the same key, as soon as the payment is confirmed. This usually takes a few seconds. We then send you an email.',
  },
  /** Instead of the English message of the Licence API: by its error code, or by the message where that says more. */
  errors: {} as Record<string, string>,
  statuses: {
    active: { label: 'Active', text: undefined },
    expired: {
      label: 'Expired',
      text: 'You can renew it. The key and activated sites stay the same.',
    },
    suspended: {
      label: 'Suspended',
      text: 'If its payment is due, pay it in the billing portal. Otherwise, contact the vendor.',
    },
    revoked: { label: 'Revoked', text: 'It can no longer be used.' },
  } as Record<
    'active' | 'expired' | 'suspended' | 'revoked',
    { label: string; text: string | undefined }
  >,
  noEnd: 'No end (lifetime)',
  signIn: {
    title: 'Sign in',
    titleToRenew: 'Sign in to renew your licence',
    titleToSwitch: 'Sign in to change your sites',
    lead: 'View your licences and activated sites. You do not need a password: we email you a sign-in link.',
    leadToRenew:
      'Sign in to renew your licence. You do not need a password: we email you a sign-in link.',
    leadToSwitch: (site: string) =>
      `Sign in to use your licence on ${site}. You do not need a password: we email you a sign-in link.`,
    email: 'Email address',
    emailHint: 'The address we sent your licence key to.',
    emailWrong: 'Enter an email address, for example name@example.com.',
    send: 'Email me a sign-in link',
    noLicence: 'No licence yet?',
    buy: 'Buy a licence',
    buyMore: 'We email you the key.',
    mailedTitle: 'Check your inbox',
    mailed:
      'If this address has a licence, we have emailed a sign-in link to it, now or in the last ten minutes. It works once, within 15 minutes.',
    notMailed: 'No email after a few minutes? Check your spam folder, or',
    tryAgain: 'try another address',
    welcome: 'Welcome back',
    welcomeLead: 'Sign in on this device for one hour.',
    button: 'Sign in',
    expiredTitle: 'This link no longer works',
    expired: 'It was already used, replaced by a newer link, or has expired after 15 minutes.',
    requestNew: 'Request a new link',
    notYoursTitle: 'This licence is not in your account',
    notYours:
      'It may belong to another of your email addresses. Sign out, open the link again, and sign in with the address that received the email.',
    signOut: 'Sign out',
  },
  account: {
    title: 'Your licences',
    none: 'You have no licences.',
    noneFound: 'None of your licences matches this search.',
    search: 'Site, or the end of the key',
    searchButton: 'Search',
    all: 'All licences',
    older: 'Older licences',
    buy: 'Buy a licence',
    buyAnother: 'Buy another licence',
    otherDevices: 'Other devices',
    otherDevicesText: 'Sign out on all devices, for example if you have lost one.',
    signOutEverywhere: 'Sign out everywhere',
    menu: 'Account',
    test: 'test',
    trialBadge: 'Trial',
    buyTrial: 'Buy this licence',
    trial: 'This free trial ends by itself, and nothing is charged.',
    trialToBuy:
      'This free trial ends by itself, and nothing is charged. If you buy the licence, the key stays the same and your sites stay activated.',
    inGrace: (end: string) => `The paid period has ended. The licence keeps working until ${end}.`,
    renewBefore: 'Renew it before then.',
    /** Where no licences are on sale. */
    toVendor: 'Contact the vendor to renew it.',
    trialEnded: 'The free trial has ended.',
    trialEndedToBuy:
      'If you buy the licence, the key stays the same and your sites stay activated.',
    renewing:
      'The licence renews automatically as soon as the payment is confirmed. You do not need to do anything, unless we email you that a payment has failed.',
    renewingUntil: (end: string) => `Without a payment, it keeps working until ${end}.`,
    key: 'Key',
    licence: 'Licence',
    expiredOn: 'Expired on',
    expiresOn: 'Expires on',
    /** For a lifetime licence. */
    validUntil: 'Valid until',
    renewsOn: 'Renews on',
    paidUntil: 'Paid until',
    sitesInUse: 'Sites in use',
    of: (used: number, allowed: number) => `${used} of ${allowed}`,
    ofUnlimited: (used: number) => `${used} (unlimited)`,
    renew: 'Renew',
    renewOrChange: 'Renew or change',
    sites: 'Sites',
    since: 'Since',
    deactivate: 'Deactivate site',
    noSites: 'No activated sites.',
    enterKey: 'Enter the key in the settings of your site.',
    lostKey: 'Lost the key?',
    lostKeyText:
      'We do not store keys, so we can only email you a new one. The old key works for 7 more days, and your sites stay activated.',
    sendNewKey: 'Email me a new key',
    licenceFile: 'Licence file for a site without internet access',
    licenceFileText:
      'The file replaces the key where a site cannot reach our server. It is valid for 30 days, or until your licence ends if that is earlier. Download a new one here at any time.',
    downloadFile: 'Download the licence file',
    history: 'History',
    historyOf: (id: string) => `History of ${id}`,
    site: 'Site',
    activated: 'Activated',
    deactivated: 'Deactivated',
    notDeactivated: 'no',
    back: 'Back to your licences',
  },
  buy: {
    title: 'Buy a licence',
    titleOf: (product: string) => `Buy a licence for ${product}`,
    lead: 'We email the licence key as soon as you have paid.',
    chooseProduct: 'Choose a product.',
    sites: (count: number) => (count === 1 ? '1 site' : `${count} sites`),
    unlimitedSites: 'Unlimited sites',
    unlimited: 'unlimited',
    includes: 'Includes',
    intervals: { year: 'Yearly', month: 'Monthly', once: 'Lifetime' },
    testNote: 'Test checkout: sample prices, and no payment is taken.',
    totalNote: 'The checkout shows the total before you pay.',
    someMissing: 'Some prices are not available right now.',
    priceLater: 'Price shown in the checkout',
    notAvailable: 'Not available:',
    billing: 'Billing',
    tier: 'Tier',
    total: 'total',
    perPackage: 'per package',
    toCheckout: 'Continue to checkout',
    toPortal: 'Continue to billing portal',
    redirected: 'You are being redirected. If nothing happens, use the button.',
  },
  renewal: {
    /** Where nothing can be chosen. */
    title: 'Your licence',
    titleToRenew: 'Renew your licence',
    titleToChange: 'Change your licence',
    renews:
      'This licence renews automatically. Changes apply to the same key, and your sites stay activated.',
    keeps: 'The licence keeps its key, and your sites stay activated.',
    noPayments: 'This licence cannot be renewed here. Contact the vendor.',
    /** What to do about a subscription before it can be changed. */
    resume: {
      cancelled:
        'Your subscription is cancelled. Resume it in the billing portal, or renew the licence here once it has ended.',
      unpaid: 'Your subscription is unpaid. Pay it in the billing portal.',
      paused: 'Your subscription is paused. Resume it in the billing portal.',
    },
    packages: 'Packages',
    packagesHint: (sites: string) => `Sites per package: ${sites}. Prices are per package.`,
    unlimited: (plan: string) => `With ${plan}, this licence keeps its unlimited sites.`,
    remaining: 'Remaining days are added if you keep the tier and do not add packages.',
    toChange: 'Continue to change',
    portalTitle: 'Card, invoices and cancellation',
    openPortal: 'Open the billing portal',
  },
  trial: {
    offer: 'Try it first',
    start: (days: number, isUpTo: boolean) =>
      `Start a free trial of ${isUpTo ? 'up to ' : ''}${days === 1 ? '1 day' : `${days} days`}`,
    title: 'Start a free trial',
    titleOf: (product: string) => `Start a free trial of ${product}`,
    ends: 'No card is needed. The trial ends by itself, and nothing is charged.',
    once: 'Each email address and each site can have one trial of a product. To check that, we keep a code for both that does not contain them, for three years.',
    days: (days: number) => (days === 1 ? '1 day' : `${days} days`),
    email: 'Email address',
    emailHint: 'We email you a link to start the trial. Your licence key comes to this address.',
    emailWrong: 'Enter an email address, for example name@example.com.',
    site: 'Site',
    siteHint: 'The public address of the site, for example https://www.example.com.',
    siteWrong: 'Enter the public address of your site, for example https://www.example.com.',
    send: 'Email me the link',
    mailed: (hours: number) =>
      `An email is on its way to your address, unless we have sent many to it today. Its link works within ${hours} hours. If the address or the site has already had a trial, the email says so.`,
    confirmTitle: 'Start your free trial',
    confirm: 'Start the trial',
    startedTitle: 'Your free trial has started',
    started:
      'This is your licence key. It is shown only once, and we have emailed it to you. Enter it in the settings of your site.',
    endsOn: 'Ends by itself on',
    failedTitle: 'The trial was not started',
    failed: {
      link_expired: 'The link has expired after 24 hours, or it is incomplete.',
      trial_used:
        'This trial has already started, or this address or this site has had its trial. If you have started it, the key is in your email, and the licence is in your account.',
      not_possible: 'This trial is no longer offered.',
    } as Record<string, string>,
    account: 'Your licences',
  },
  switching: {
    title: 'Use your licence on another site',
    full: (used: number, allowed: number) =>
      allowed === 1
        ? 'The only activation of this licence is in use. Choose the site to deactivate.'
        : `${used} of ${allowed} activations of this licence are in use. Choose a site to deactivate.`,
    free: (used: number, allowed: number) =>
      `${used} of ${allowed} activations of this licence are in use, so no site has to be deactivated.`,
    freeUnlimited: 'This licence allows unlimited sites, so no site has to be deactivated.',
    alreadyActive:
      'This site is already active. If it still shows an error, save the licence key again in its settings.',
    newSite: 'Site to activate',
    choose: 'Site to deactivate',
    effect:
      'The site that you deactivate can no longer use the licence. You can switch back later.',
    submit: (site: string) => `Deactivate the chosen site and use ${site}`,
    activate: (site: string) => `Use ${site}`,
    notChosen: 'Choose a site to deactivate.',
    stillFull: 'Nothing has changed, because no activation was free. Choose again.',
    tooMany: (used: number, allowed: number) =>
      `${used} sites are active, but the licence allows ${allowed}. Deactivate sites in the list of your licences first, then open this page again.`,
  },
  faults: {
    403: [
      'Request rejected',
      'The form comes from another site or from an earlier session. Open your licences and try again.',
    ],
    404: ['Page not found', 'Check the address. The link may be incomplete.'],
    503: ['Service unavailable', 'Try again in a moment.'],
    other: ['Something went wrong', 'Go back and try again.'],
  } as Record<'403' | '404' | '503' | 'other', readonly [title: string, text: string]>,
};

export type PortalTexts = typeof en;
