import { type RenderedMail, renderMail } from '../../mail/index.ts';

/** The mail with the link; `minutes` is how long it works. */
export const renderSignInMail = (link: string, minutes: number): RenderedMail =>
  renderMail({
    language: 'en',
    subject: 'Your sign-in link',
    parts: [
      'Hello,',
      'with this link you sign in to your licences.',
      { link, label: 'Sign in' },
      `It works for ${minutes} minutes, until you have signed in with it or with another link that we sent you.`,
      'If you did not ask for it, there is nothing to do: without this mail nobody can use it.',
    ],
  });
