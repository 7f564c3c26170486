/** Whether a redirect target is a path of the console. */
export const isOwnPath = (path: string | undefined): path is string =>
  path !== undefined && /^\/admin(\/(?![/\\])|$|\?)/.test(path);
