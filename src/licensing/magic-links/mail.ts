import { type RenderedMail, renderMail } from '../../platform/mail/index.ts';

/** The mail with the link; `minutes` is how long it works. */
export const signInMail = (link: string, minutes: number): RenderedMail =>
  renderMail({
    language: 'en',
    subject: 'Your sign-in link',
    parts: [
      'Hello,',
      'with this link you sign in to your licences.',
      { link, label: 'Sign in' },
      `It works once, and for ${minutes} minutes. If you ask for another, only the newest works.`,
      'If you did not ask for it, there is nothing to do: without this mail nobody can use it.',
    ],
  });
