/** What all banners say, and the categories that they ask about. */
export const TEXTS = {
  title: 'Your privacy',
  message:
    'This website uses cookies. Some are strictly necessary for it to work. With your consent, we also use cookies to measure how the website is used and to show you relevant advertising. You can change or withdraw your consent at any time.',
  accept: 'Accept all',
  reject: 'Reject all',
  manage: 'Manage preferences',
  save: 'Save preferences',
  privacy: 'Privacy policy',
  privacyUrl: '/privacy',
};

/** The first is strictly necessary. */
export const CATEGORIES = [
  { id: 'functional', label: 'Strictly necessary', description: 'Needed to use the website.' },
  { id: 'analytics', label: 'Analytics', description: 'Measures how the website is used.' },
  { id: 'marketing', label: 'Marketing', description: 'Shows you relevant advertising.' },
] as const;
