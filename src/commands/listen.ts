import { CliError } from '../platform/errors.ts';

/**
 * Lets a server listen.
 * @param names the settings or options of the address, for messages
 * @throws CliError that says what to change
 */
export async function listen(
  server: { listen(at: { host: string; port: number }): Promise<string> },
  { host, port }: { host: string; port: number },
  names: { host: string; port: string },
): Promise<void> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new CliError(
        `port ${port} of ${host} is in use. Stop the other process or set ${names.port}`,
      );
    if (code === 'EACCES')
      throw new CliError(
        `port ${port} of ${host} requires more rights. Set ${names.port} to a port above 1023`,
      );
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new CliError(
        `${host} is not an address of this machine. Set ${names.host} to one, for example 127.0.0.1`,
      );
    throw new CliError(`cannot listen on ${host}:${port}: ${message}`);
  }
}
