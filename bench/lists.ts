import type { Finding } from './report.ts';
import { command, type Engine, install, startPavis } from './server.ts';

const FEW = 10_000;
const MANY = 1_000_000;
const ASKED = 200;
const P50_MS = 5;
const VISITORS = 100;

/** How long pages of records and searches take, with few records and with many. */
export const lists = (): Promise<Finding[]> => onBothEngines(LISTS);

/** The same of the stats. */
export const stats = (): Promise<Finding[]> => onBothEngines({ stats: () => 'stats' });

/** What is asked, by its name; of the n-th time that it is asked. */
type Questions = Record<string, (n: number, installed: Installed) => string>;

interface Installed {
  records: number;
  visitor: (n: number) => string;
}

const LISTS: Questions = {
  'newest page': () => 'records',
  'page in the middle': (_, { records }) => `records?offset=${records / 2}`,
  'page of one action': () => 'records?consent_action=manage',
  'page of half a year': () => `records?date_from=${daysAgo(200)}&date_to=${daysAgo(20)}`,
  'search of a visitor': (n, { visitor }) => `records?search=${visitor(n)}`,
  'search of four characters': (n, { visitor }) => `records?search=${visitor(n).slice(0, 4)}`,
};

async function onBothEngines(questions: Questions): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const engine of ['sqlite', 'postgres'] as const) {
    const few = await measure(engine, FEW, questions);
    const many = await measure(engine, MANY, questions);
    for (const [what, figures] of Object.entries(many)) {
      findings.push({
        bench: `${what}, ${engine}, ${MANY.toLocaleString('en')} records beside ${FEW.toLocaleString('en')}`,
        unit: 'ms',
        figures,
        bare: few[what] ?? [],
        bar: { of: 'figure', atMost: P50_MS },
      });
    }
  }
  return findings;
}

/** The milliseconds that each answer took, by what was asked. */
async function measure(
  engine: Engine,
  records: number,
  questions: Questions,
): Promise<Record<string, number[]>> {
  await using installation = await install(engine);
  const { env } = installation;
  await command(`seed --consents ${records}`, env);
  await command('user create bench --email bench@example.com --role administrator', env);
  const { password } = await command('user app-password bench --name bench', env);
  await using server = await startPavis(env);
  const authorization = `Basic ${Buffer.from(`bench:${password}`).toString('base64')}`;

  async function ask(path: string) {
    const url = `${server.url}/wp-json/svc/v1/consent/${path}`;
    const answer = await fetch(url, { headers: { authorization } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text);
  }
  const some: { visitor_id: string }[] = await ask(
    `records?per_page=${VISITORS}&offset=${Math.floor(records / 3)}`,
  );
  const visitor = (n: number): string => some[n % VISITORS]?.visitor_id ?? '';
  const figures: Record<string, number[]> = {};
  for (const [what, pathOf] of Object.entries(questions)) {
    figures[what] = [];
    for (let n = 0; n < ASKED; n++) {
      const askedAt = performance.now();
      await ask(pathOf(n, { records, visitor }));
      figures[what].push(performance.now() - askedAt);
    }
  }
  return figures;
}

const daysAgo = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
