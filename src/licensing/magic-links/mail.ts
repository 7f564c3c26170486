import { type RenderedMail, renderMail } from '../../mail/index.ts';

/** @param minutes how long the link works */
export const renderSignInMail = (link: string, minutes: number): RenderedMail =>
  renderMail({
    language: 'en',
    subject: 'Your sign-in link',
    parts: [
      'Use this link to sign in to your licences:',
      { link, label: 'Sign in' },
      `The link works once, within ${minutes} minutes. It stops working when you sign in with another link.`,
      'If you did not request it, ignore this email. Nobody can sign in without it.',
    ],
  });
