import { compare, type Probe, throughput } from './load.ts';
import { type Finding, median } from './report.ts';
import { command, type Engine, install, startBare, startPavis } from './server.ts';

const RECORDS = 1_000_000;

/** `POST /consent`, on the disk before it is answered: with an empty database, and with a million records. */
export async function consent(): Promise<Finding[]> {
  return [...(await measure('sqlite')), ...(await measure('postgres'))];
}

async function measure(engine: Engine): Promise<Finding[]> {
  await using installation = await install(engine);
  const { env } = installation;
  await using bare = await startBare({
    status: 200,
    contentType: 'application/json; charset=UTF-8',
    body: '{"id":1000000,"message":"Consent recorded."}',
  });
  async function load() {
    await using ours = await startPavis(env);
    // Awaited here: the server must outlive it.
    return await compare({ ours, bare }, decisions());
  }
  const empty = await load();
  await command(`seed --consents ${RECORDS}`, env);
  const full = await load();

  const share = (rounds: typeof empty) =>
    median(
      rounds.ours.map(
        ({ perSecond }, round) => perSecond / (rounds.bare[round]?.perSecond ?? Number.NaN),
      ),
    );
  return [
    ...throughput(`consent, ${engine}, empty`, empty, {
      of: 'ratio',
      atLeast: engine === 'sqlite' ? 0.5 : 0,
    }),
    ...throughput(`consent, ${engine}, a million records`, full, {
      of: 'ratio',
      atLeast: 0.9 * share(empty),
    }),
  ];
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
      const random = (Math.imul(++visitors, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');
      return JSON.stringify({
        visitor_id: `${random}-4b6e-4f0a-9d3c-${visitors}`,
        consent_action: 'manage',
        categories_accepted: ['functional', 'analytics'],
        categories_rejected: ['marketing', 'personalisation'],
        source: 'banner',
        language: 'en',
      });
    },
    isAnswer: (body) => body.endsWith('"message":"Consent recorded."}'),
  };
}
