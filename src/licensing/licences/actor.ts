const CONSOLE = /^console \((.+)\)$/;

/** A user of the console, as the audit log names them: a login alone might be taken for the customer. */
export const formatConsoleActor = (login: string): string => `console (${login})`;

/** The login in what `consoleActor` made; undefined for whatever else does something. */
export const parseActorLogin = (actor: string): string | undefined => CONSOLE.exec(actor)?.[1];
