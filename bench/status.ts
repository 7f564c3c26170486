import { compare, throughput } from './load.ts';
import type { Finding } from './report.ts';
import { install, startBare, startPavis, toBareAnswer } from './server.ts';

const PATH = '/wp-json/svc/v1/consent/status';

/** `GET /consent/status`, which every page view of a site requests. */
export async function status(): Promise<Finding[]> {
  await using installation = await install();
  const ours = await startPavis(installation.env);

  const answer = await fetch(ours.url + PATH);
  const body = await answer.text();
  if (answer.status !== 200 || JSON.parse(body).enabled !== true) {
    throw new Error(`there is no banner: ${answer.status} ${body}`);
  }
  await ours[Symbol.asyncDispose]();

  const probe = { method: 'GET', path: PATH, isAnswer: (text: string) => text === body } as const;
  const rounds = await compare(
    {
      ours: () => startPavis(installation.env),
      bare: () => startBare(toBareAnswer(answer, body)),
    },
    probe,
  );
  return throughput('status', rounds, { cpu: { of: 'ratio', atMost: 1.12 } });
}
