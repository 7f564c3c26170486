/** The exit code of programs that SIGPIPE ends, which Node.js ignores. */
const CLOSED = 141;
const FAILED = 1;

/**
 * Lets commands complete their work if their output cannot be written: quietly if its reader has closed it, for example
 * `head`, otherwise with the reason. Unless it has failed, the command exits with 141 or 1.
 */
export function handleOutputFaults(): void {
  let isKnown = false;
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (isKnown) return;
      isKnown = true;
      const isClosed = code === 'EPIPE';
      if (!isClosed) process.stderr.write(`pavis: cannot write the output: ${message}\n`);
      process.once('exit', (exitCode) => {
        process.exitCode = exitCode || (isClosed ? CLOSED : FAILED);
      });
    });
}
