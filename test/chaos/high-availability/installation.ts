import { join } from 'node:path';
import { type MailServer, mailServer } from '../../support/mail-server.ts';
import { reservePort } from '../../support/ports.ts';
import { pavisJson } from '../../support/process.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { writeBalancer } from './balancer.ts';
import { Cluster } from './cluster.ts';
import { Node } from './node.ts';
import type { Owner, Programs } from './processes.ts';
import type { Report } from './report.ts';

export interface Place {
  /** Of configurations, data and logs. */
  folder: string;
  owner: Owner;
  programs: Programs;
  /** Where the programs of PostgreSQL are. */
  binaries: string;
}

/** Everything that the guide describes, and the receivers of emails and webhooks. */
export interface Installation {
  /** Of HAProxy in front of the nodes. */
  url: string;
  cluster: Cluster;
  nodes: [Node, Node, Node];
  mails: MailServer;
  receiver: WebhookReceiver;
  /** Of a licence for many sites. */
  key: string;
}

/** @param closing gets what ends the parts, also if a later one does not start */
export async function buildInstallation(
  { folder, owner, programs, binaries }: Place,
  report: Report,
  closing: (() => unknown)[],
): Promise<Installation> {
  report.say('starting etcd and three PostgreSQL servers under Patroni');
  const cluster = await Cluster.start(folder, owner, programs, binaries);
  closing.push(() => cluster.close());
  await cluster.createDatabase();
  const mails = await mailServer();
  closing.push(() => mails.stop());
  const receiver = await new WebhookReceiver().start();
  closing.push(() => receiver.stop());

  report.say('starting HAProxy, PgBouncer and three Pavis nodes');
  const [databasePort, pavisPort] = [await reservePort(), await reservePort()];
  const url = `http://127.0.0.1:${pavisPort}`;
  const shared = {
    PAVIS_BASE_URL: url,
    PAVIS_REST_ROOT: `${url}/wp-json`,
    PAVIS_SITE_URL: url,
    PAVIS_DATA_DIR: join(folder, 'data'),
    PAVIS_SECRET: 'one secret for all nodes, long enough',
    PAVIS_SMTP_URL: mails.url,
    PAVIS_TRUSTED_PROXIES: '127.0.0.1',
    PAVIS_PRIVATE_WEBHOOKS: 'on',
    PAVIS_CHROMIUM: 'off',
  };
  const names = ['node1', 'node2', 'node3'];
  const nodes = await Promise.all(
    names.map((name) => Node.create(name, databasePort, shared, { folder, owner, programs })),
  );
  closing.push(() => Promise.all(nodes.map((node) => node.close())));
  const configuration = writeBalancer(folder, {
    database: databasePort,
    pavis: pavisPort,
    members: [...cluster.members],
    nodes: nodes.map(({ port }) => port),
  });
  programs.start('haproxy', 'haproxy', ['-db', '-f', configuration], undefined);
  await Promise.all(nodes.map((node) => node.start()));

  const command = (...args: string[]) => pavisJson(args, (nodes[0] as Node).env);
  const issued = ['--email', 'buyer@example.org', '--tier', 'agency', '--sites', '100000'];
  const { key } = await command('licence', 'issue', ...issued, '--days', '30');
  await command('webhook', 'create', receiver.url, '--events', 'activation.created,dsar.created');
  return { url, cluster, nodes: nodes as [Node, Node, Node], mails, receiver, key };
}
