import { compare, type Probe, throughput } from './load.ts';
import type { Finding } from './report.ts';
import { command, install, startBare, startPavis, toBareAnswer } from './server.ts';

/** `POST /licence/validate` with a cached key. */
export async function validate(): Promise<Finding[]> {
  await using installation = await install();
  const { env } = installation;
  const { key: licenceKey } = await command(
    'licence issue --email bench@example.com --tier pro --sites 3 --days 365',
    env,
  );
  const ours = await startPavis(env);

  const request = {
    method: 'POST',
    path: '/licence/validate',
    headers: { 'content-type': 'application/json', 'x-licence-key': licenceKey },
  } satisfies Partial<Probe>;
  const body = JSON.stringify({ licence_key: licenceKey, site_url: 'https://example.com' });
  const answer = await fetch(ours.url + request.path, { ...request, body });
  const expectBody = await answer.text();
  if (answer.status !== 200 || JSON.parse(expectBody).valid !== true) {
    throw new Error(`the licence is not valid: ${answer.status} ${expectBody}`);
  }
  await ours[Symbol.asyncDispose]();

  const rounds = await compare(
    { ours: () => startPavis(env), bare: () => startBare(toBareAnswer(answer, expectBody)) },
    {
      ...request,
      body,
      isAnswer: (text) => text === expectBody,
    },
  );
  return throughput('validate', rounds, { cpu: { of: 'ratio', atMost: 1.15 } });
}
