import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LoadOptions, LoadResult, Request } from './load-result.ts';

/** By default, wrk counts responses after 2 seconds as failed. */
const TIMEOUT = '30s';

let found: boolean | undefined;

/** Whether the native load generator wrk is installed. */
export function hasWrk(): boolean {
  found ??= spawnSync('wrk', ['--version']).error === undefined;
  return found;
}

/**
 * Loads a server with wrk, in one thread.
 * @throws Error if a response was not 2xx or a connection failed
 */
export async function loadWithWrk(
  url: string,
  request: Request,
  { connections, seconds }: LoadOptions,
): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'pavis-wrk-'));
  try {
    const script = join(folder, 'request.lua');
    writeFileSync(script, lua(request));
    const load = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', TIMEOUT];
    const args = [...load, '-s', script, url + request.path];
    const { stdout } = await promisify(execFile)('wrk', args);
    return read(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A script that replaces VISITOR in each request. */
function lua({ method, headers = {}, body = '', idFormat }: Request): string {
  const [before = '', after] = body.split('VISITOR');
  const fields = Object.entries(headers).map(([name, value]) => `[${quote(name)}]=${quote(value)}`);
  const each =
    after === undefined
      ? ''
      : `math.randomseed(os.time() + ${Math.floor(Math.random() * 1e9)})
local random, format = math.random, string.format
function request()
  local visitor = format("%08x-%04x-4%03x-9%03x-%06x%06x", random(0, 4294967295), random(0, 65535), random(0, 4095),
    random(0, 4095), random(0, 16777215), random(0, 16777215))
${idFormat === 'base58' ? '  visitor = visitor:gsub("[-0]", "z")\n' : ''}  return wrk.format(nil, nil, nil, ${quote(before)} .. visitor .. ${quote(after)})
end`;
  return `wrk.method = ${quote(method)}
wrk.headers = {${fields.join(', ')}}
wrk.body = ${body === '' ? 'nil' : quote(body)}
${each}
function done(summary, latency)
  local e = summary.errors
  io.write(format_json(summary.requests, summary.duration, e.connect + e.read + e.write + e.timeout, e.status,
    latency:percentile(50), latency:percentile(99)))
end
function format_json(...)
  return "\\nRESULT " .. table.concat({...}, " ") .. "\\n"
end
`;
}

/** A string literal of Lua, whose escapes for ASCII are the same as in JSON. */
const quote = (text: string) => JSON.stringify(text);

function read(output: string): LoadResult {
  const figures = /^RESULT (.+)$/m.exec(output)?.[1]?.split(' ').map(Number);
  if (!figures) throw new Error(`wrk printed no result: ${output}`);
  const [requests = 0, microseconds = 0, broken = 0, refused = 0, p50 = 0, p99 = 0] = figures;
  if (broken > 0 || refused > 0) {
    throw new Error(`${broken} connections broke and ${refused} answers were no success`);
  }
  return { requests, perSecond: requests / (microseconds / 1e6), p50: p50 / 1e3, p99: p99 / 1e3 };
}
