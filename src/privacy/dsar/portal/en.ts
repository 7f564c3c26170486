import type { PageWords } from './words.ts';

export const en: PageWords = {
  dir: 'ltr',
  name: 'English',
  skip: 'Skip to the content',
  brand: (site) => `Privacy requests to ${site}`,
  languages: 'Language',
  footer: (site) =>
    `What you send here goes to those who run ${site}, and is used for your request only.`,

  form: {
    title: 'Your data, your say',
    lead: (site) =>
      `Ask ${site} what it knows about you, or have it corrected or deleted. It is your right, it costs nothing, and you need not say why.`,
    what: 'What would you like?',
    types: {
      access: {
        label: 'See my data',
        hint: 'You get a copy of what we hold about you, and learn what it is used for.',
      },
      deletion: {
        label: 'Delete my data',
        hint: 'We delete what we hold about you, and tell you if there is something the law has us keep.',
      },
      rectification: {
        label: 'Correct my data',
        hint: 'Something is wrong or missing: tell us below how it should be.',
      },
      portability: {
        label: 'Take my data with me',
        hint: 'You get the data you gave us as files that other programs can read.',
      },
      objection: {
        label: 'Object to the use of my data',
        hint: 'Tell us below what we should stop. Advertising stops at once; the rest we look at again.',
      },
    },
    about: 'Who are you?',
    optional: '(optional)',
    firstName: 'First name',
    lastName: 'Last name',
    email: 'E-mail address',
    emailHint: 'The one we know you by, if you have used one with us. Our answer goes there.',
    details: 'What else should we know?',
    detailsHint: 'For example a customer number, or what is to be corrected. Please no passwords.',
    trap: 'Leave this empty',
    visitor: 'The cookie choices that you made in this browser are part of the request.',
    send: 'Send my request',
    after:
      'You get an email with a link to confirm your address. The next page says by when we answer.',
    toStatus: 'I have sent a request: how far is it?',
  },
  notice: {
    title: 'How we use what you send',
    controller: 'Controller',
    officer: 'Data protection officer',
    purpose: {
      label: 'Purpose',
      text: 'To answer your request, and to show that we answered it.',
    },
    basis: {
      label: 'Legal basis',
      gdpr: 'Our legal obligation to answer: Art. 6(1)(c) and Art. 12 to 22 GDPR.',
      other: 'Our legal obligation to answer your request.',
    },
    retention: {
      label: 'Retention',
      rule: (period, action) =>
        `Your request is ${action === 'delete' ? 'deleted' : 'anonymised'} ${period} after it is closed.`,
      unset:
        'No fixed period is set. We keep your request as long as we have to show that we answered it.',
    },
    rights: {
      label: 'Your rights',
      text: 'You can ask us for access to these data, and to correct, delete or restrict them.',
    },
    complaint: {
      label: 'Complaints',
      text: 'You can complain to a data protection authority.',
    },
  },
  closed: {
    title: 'Requests cannot be sent here at the moment',
    text: 'You may write to us all the same: your rights do not depend on this form.',
    write: (address) => `Write to ${address}.`,
  },
  errors: {
    title: 'Please look at this again',
    type: 'Choose what you would like.',
    email: 'Enter an e-mail address at which you can be reached, as name@example.com.',
    tooLong: (limit) => `Please keep this to ${limit} characters.`,
    trap: 'A hidden field was filled in, as programs do. If you are a person, please just send the form again.',
    tooMany:
      'Too many requests came from your network. Please wait a minute, then send the form again.',
    fault:
      'We could not store your request. Nothing you typed is lost: please send the form again in a moment.',
  },
  sent: {
    title: 'We have your request',
    lead: 'Thank you. Keep this reference: it is what you ask about your request with.',
    reference: 'Reference',
    deadline: 'We answer by',
    copyHint: 'Click the reference to select it, then copy it; or print this page.',
    next: 'What happens now',
    steps: (deadline) => [
      'You get an email from us, usually at once and within an hour at the latest. Open the link in it to confirm that the address is yours. If it does not arrive, check your spam folder.',
      'Once you have confirmed, we set to work. Until then we hand out and delete nothing.',
      `You hear from us by ${deadline}.`,
    ],
    toStatus: 'See how far your request is',
  },
  status: {
    title: 'How far is my request?',
    lead: 'Enter the reference that you were given, and the e-mail address that you sent the request with.',
    reference: 'Reference',
    referenceHint: 'As DSR-20261121-7K2M9Q; it is in our e-mails.',
    email: 'E-mail address',
    emailHint: 'The one you sent the request with.',
    show: 'Show me',
    unknown:
      'We find no request with this reference and this e-mail address. Please check both, as they are in our e-mail.',
    found: 'Your request',
    request: 'Request',
    state: 'Status',
    submitted: 'Received on',
    completed: 'Closed on',
    states: {
      received: { label: 'Received', text: 'Your request is in our queue.' },
      in_progress: { label: 'In progress', text: 'We are working on it.' },
      on_hold: {
        label: 'On hold',
        text: 'What we need is in our email: please answer it.',
      },
      completed: { label: 'Completed', text: 'We are done. The result is in our e-mail.' },
      rejected: { label: 'Declined', text: 'We could not do it. The reason is in our e-mail.' },
      withdrawn: { label: 'Withdrawn', text: 'It was taken back; we do nothing more about it.' },
    },
    unconfirmed:
      'Please confirm your address with the link in our first e-mail, so that we can set to work.',
    withdraw: 'Withdraw this request',
    withdrawHint:
      'To withdraw this request, ask for a link by email. The request is withdrawn only when you use the link.',
    another: 'Look up another request',
    toForm: 'Send a new request',
  },
  confirm: {
    title: 'Confirm your e-mail address',
    text: 'Press the button to confirm that you sent the request and that this address is yours. If you did not, close this page and nothing happens.',
    button: 'Yes, this is me',
    done: 'Thank you, your address is confirmed',
    doneText: 'We are setting to work on your request. You need do nothing more.',
  },
  download: {
    title: 'Your data are ready',
    text: 'You get one file (ZIP) with everything in it; open index.html in it to read. The link works once: press the button where you want to keep the file, and not on a computer that others use.',
    button: 'Download my data',
    keep: 'The file is about you alone. Keep it safe, or delete it when you have read it.',
  },
  withdraw: {
    title: 'Withdraw your request',
    text: 'Press the button to withdraw your request. We then stop working on it. You can send a new request at any time. If you want to keep your request, close this page.',
    button: 'Withdraw my request',
    done: 'Your request is withdrawn',
    doneText: 'We do not work on it any more. You can send a new request at any time.',
    sent: 'Check your email',
    sentText:
      'We have sent you an email. Open the link in it to withdraw your request. If the email does not arrive within a few minutes, check your spam folder. Until you use the link, your request stays as it is.',
  },
  over: {
    withdraw:
      'It was used, replaced by a newer one or is older than seven days, or the request was closed since.',
    title: 'This link does not work any more',
    confirm:
      'It was used already, was replaced by a newer one, or is more than seven days old. If you have confirmed your address, there is nothing to do. If not, contact us and ask for a new link.',
    contact: (writeTo) =>
      writeTo
        ? `To contact us, write to ${writeTo}.`
        : 'To contact us, send a new request and state the reference of this one.',
    download: {
      unknown: 'The link is incomplete or wrong. Copy the whole link from our email.',
      used: 'The link was already used. If you do not have your file, contact us and ask for a new link.',
      expired:
        'The link was valid for seven days. If you do not have your file, contact us and ask for a new link.',
      revoked:
        'We have withdrawn this link because the status of your request has changed. You can check the status of your request below.',
      replaced: 'A newer link has replaced this one. Use the link in our latest email.',
      deleted:
        'Your file has been deleted: we keep it only for a short time after we have answered. If you do not have it, contact us and ask for a new copy.',
    },
  },
  faults: {
    notFound: {
      title: 'There is nothing at this address',
      text: 'Perhaps the link was cut off on its way to you.',
    },
    tooMany: {
      title: 'Too many requests',
      text: 'They came from your network. Please wait a minute, then try again.',
    },
    unavailable: {
      title: 'We cannot answer right now',
      text: 'Please try again in a moment. What was sent before is safe.',
    },
    other: { title: 'That did not work', text: 'Please go back and try again.' },
  },
};
