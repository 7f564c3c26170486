import { findUserId } from '../../identity/users/index.ts';

const CONSOLE = /^console \((.+)\)$/;

/** A user of the console in the audit log. A login alone could be mistaken for the customer. */
export const formatConsoleActor = (login: string): string => `console (${login})`;

/** The user id of a console actor as a subquery; null for other actors. */
export function findActorId(actor: string) {
  const login = CONSOLE.exec(actor)?.[1];
  return login === undefined ? null : findUserId(login);
}
