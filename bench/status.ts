import { compare, throughput } from './load.ts';
import type { Finding } from './report.ts';
import { install, startBare, startPavis, toBareAnswer } from './server.ts';

const PATH = '/wp-json/svc/v1/consent/status';

/** `GET /consent/status`, which every page view of a site asks for. */
export async function status(): Promise<Finding[]> {
  await using installation = await install();
  await using ours = await startPavis(installation.env);

  const answer = await fetch(ours.url + PATH);
  const body = await answer.text();
  if (answer.status !== 200 || JSON.parse(body).enabled !== true) {
    throw new Error(`there is no banner: ${answer.status} ${body}`);
  }
  await using bare = await startBare(toBareAnswer(answer, body));

  const probe = { method: 'GET', path: PATH, isAnswer: (text: string) => text === body } as const;
  return throughput('status', await compare({ ours, bare }, probe), {
    cpu: { of: 'ratio', atMost: 1.12 },
  });
}
