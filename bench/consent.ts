import { compare, type Probe, throughput } from './load.ts';
import type { Finding } from './report.ts';
import { install, type Running, startBare, startPavis } from './server.ts';

/** `POST /consent`: on the disk before it is answered. */
export async function consent(): Promise<Finding[]> {
  using installation = await install();
  await using ours = await startPavis(installation.env);
  await using bare = await startBare({
    status: 200,
    contentType: 'application/json; charset=UTF-8',
    body: '{"id":1000000,"message":"Consent recorded."}',
  });
  await assertRecorded(ours);
  return throughput('consent, empty', await compare({ ours, bare }, decisions()), {
    of: 'ratio',
    atLeast: 0.5,
  });
}

let visitors = 0;

/** Decisions as a banner sends them, each of another visitor. */
function decisions(): Probe {
  return {
    method: 'POST',
    path: '/wp-json/svc/v1/consent',
    headers: { 'content-type': 'application/json' },
    body() {
      // As random ids are: each falls anywhere between the others.
      const visitor = (Math.imul(++visitors, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');
      return `{"visitor_id":"${visitor}-4b6e-4f0a-9d3c-${visitors}","consent_action":"manage","categories_accepted":["functional","analytics"],"categories_rejected":["marketing","personalisation"],"source":"banner","language":"en"}`;
    },
    isAnswer: (body) => body.endsWith('"message":"Consent recorded."}'),
  };
}

async function assertRecorded(server: Running): Promise<void> {
  const { method, path, headers = {}, body = () => '', isAnswer } = decisions();
  const answer = await fetch(server.url + path, { method, headers, body: body() });
  const text = await answer.text();
  if (answer.status !== 200 || !isAnswer(text))
    throw new Error(`no decision is recorded: ${answer.status} ${text}`);
}
