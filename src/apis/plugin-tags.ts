import type { Tag } from '../platform/rest/openapi.ts';

/** The parts of the plugin REST API, as its description names them. */
export const TAGS: Tag[] = [
  ['consent', 'Consent', 'What visitors are asked and decide, and the records of it.'],
  [
    'settings',
    'Settings',
    'The settings of the site, and every version of what visitors were asked.',
  ],
  ['scanner', 'Scanner', 'Scans of the site, and what they found.'],
  ['vendors', 'Vendors', 'The library of vendors, built-in and your own.'],
  ['data-map', 'Data map', 'The records of processing activities.'],
  ['scripts', 'Scripts', 'Scripts that wait for consent.'],
  ['dsar', 'Subject requests', 'Requests of people about their data, from intake to package.'],
  ['retention', 'Retention', 'How long records are kept, what is held, and what runs have done.'],
  ['mail', 'Mail', 'Mails that wait to be sent, and those that were.'],
  ['licence', 'Licence of the site', 'The licence that this site itself has.'],
  ['developer', 'Developer', 'Hooks, and what extensions have registered.'],
  ['users', 'Users', 'Users, their application passwords, and what happened to them.'],
  ['security-log', 'Security log', 'Sign-ins, refused credentials, changes of users, and exports.'],
].map(([name = '', title = '', description = '']) => ({ name, title, description }));
