/** Whether it leads back into the console, and nowhere else. */
export const isOwnPath = (path: string | undefined): path is string =>
  path !== undefined && /^\/admin(\/(?![/\\])|$|\?)/.test(path);
