import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Ports {
  /** Where it listens for the database and for Pavis. */
  database: number;
  pavis: number;
  members: { name: string; postgresPort: number; restPort: number }[];
  nodes: number[];
}

/** Writes the configuration of HAProxy that the guide shows. @returns its path */
export function writeBalancer(folder: string, { database, pavis, members, nodes }: Ports): string {
  const path = join(folder, 'haproxy.cfg');
  const toServers = (prefix: string) =>
    nodes.map((port, at) => `  server ${prefix}${at + 1} 127.0.0.1:${port} check`).join('\n');
  const databases = members.map(
    ({ name, postgresPort, restPort }) =>
      `  server ${name} 127.0.0.1:${postgresPort} check port ${restPort}`,
  );
  writeFileSync(
    path,
    `global
  maxconn 2000

defaults
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 2s

listen postgres
  bind 127.0.0.1:${database}
  mode tcp
  timeout client 30m
  timeout server 30m
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 3 rise 1 on-marked-down shutdown-sessions
${databases.join('\n')}

frontend pavis
  bind 127.0.0.1:${pavis}
  mode http
  option forwardfor
  use_backend ready if { nbsrv(ready) gt 0 }
  default_backend alive

backend ready
  mode http
  balance roundrobin
  option redispatch 1
  option httpchk GET /readyz
  http-check expect status 200
  default-server inter 1s fall 2 rise 2
${toServers('ready')}

backend alive
  mode http
  balance roundrobin
  option redispatch 1
  option httpchk GET /livez
  http-check expect status 200
  default-server inter 1s fall 2 rise 1
  http-error status 503 content-type application/json string '{"error":"service_unavailable","message":"No node is available. Try again in a moment."}' hdr Retry-After 5
${toServers('alive')}
`,
  );
  return path;
}
