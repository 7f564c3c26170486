import { describe, expect, it } from 'vitest';
import { checkContainerUser } from './environment.ts';
import { findMount, findMountFault, isContainer, parseMounts } from './mounts.ts';

const VOLUMES = '/var/lib/docker/volumes';
const HASH = '0123456789abcdef'.repeat(4);
const ROOT = '66 43 0:40 / / rw,relatime - overlay overlay rw,lowerdir=/l,upperdir=/u,workdir=/w';
const HOSTS =
  '69 66 254:1 /var/lib/docker/containers/c0/hosts /etc/hosts rw,relatime - ext4 /dev/vda1 rw,discard';
const PROC = '67 66 0:43 / /proc rw,nosuid,nodev,noexec,relatime - proc proc rw';
/** A folder of the machine's disk at another place. */
const bind = (source: string, point: string) =>
  `71 66 254:1 ${source} ${point} rw,relatime master:1 - ext4 /dev/vda1 rw,discard`;
const memory = (point: string) => `70 66 0:44 / ${point} rw,nosuid,nodev - tmpfs tmpfs rw,size=64k`;
const DISK = '27 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw,discard';

const mounts = (...lines: string[]) => parseMounts(`${lines.join('\n')}\n`);
const container = (...lines: string[]) => mounts(ROOT, PROC, HOSTS, ...lines);

describe('parseMounts', () => {
  it('reads source, point and type, with and without optional fields and escapes', () => {
    expect(mounts(DISK, bind('/a\\040b', '/mnt/c\\134d'), PROC)).toEqual([
      { source: '/', point: '/', type: 'ext4' },
      { source: '/a b', point: '/mnt/c\\d', type: 'ext4' },
      { source: '/', point: '/proc', type: 'proc' },
    ]);
  });

  it('finds nothing where the system has no mountinfo', () => {
    expect(parseMounts('')).toEqual([]);
    expect(findMountFault([], '/data')).toBeUndefined();
    expect(isContainer([])).toBe(false);
  });
});

describe('findMount', () => {
  it('finds the closest mount above a path, and of two at one point the later', () => {
    const found = mounts(DISK, bind('/1', '/data'), memory('/data'), bind('/2', '/data/deep'));
    expect(findMount(found, '/data/file')?.type).toBe('tmpfs');
    expect(findMount(found, '/data/deep')?.source).toBe('/2');
    expect(findMount(found, '/database')?.point).toBe('/');
  });
});

describe('findMountFault', () => {
  it.each([
    ['a named volume', container(bind(`${VOLUMES}/pavis_pavis-data/_data`, '/data'))],
    ['a folder of the machine', container(bind('/srv/pavis', '/data'))],
    ['a disk outside a container', mounts(DISK, PROC)],
    ['an overlay outside a container, which may be kept', mounts(ROOT, PROC)],
    [
      'the folder of a systemd service',
      mounts(DISK.replace('rw', 'ro'), bind('/var/lib/private/pavis', '/data'), memory('/tmp')),
    ],
  ])('accepts %s', (_, found) => {
    expect(findMountFault(found, '/data')).toBeUndefined();
  });

  it.each([
    ['the layer of a container', container(), /in the container itself .* pavis-data:\/data$/],
    [
      'a volume without a name',
      container(bind(`${VOLUMES}/${HASH}/_data`, '/data')),
      /volume without a name, .* pavis-data:\/data$/,
    ],
    [
      'a volume of the pod',
      container(bind('/var/lib/kubelet/pods/1/volumes/kubernetes.io~empty-dir/d', '/data')),
      /emptyDir volume .*persistent volume$/,
    ],
    ['memory in a container', container(memory('/data')), /in memory \(tmpfs\) .*mount a volume/],
    ['memory', mounts(DISK, memory('/data')), /in memory \(tmpfs\) .*use a folder on a disk$/],
    [
      'the temporary folder of a service',
      mounts(DISK, bind('/tmp/systemd-private-1f-pavis.service-Ab/tmp', '/data')),
      /PrivateTmp=.*StateDirectory=$/,
    ],
    [
      'a folder that systemd hides',
      mounts(DISK, bind('/systemd/inaccessible/dir', '/data')),
      /^systemd hides \/data .*StateDirectory=$/,
    ],
  ])('says what to do about %s', (_, found, message) => {
    expect(findMountFault(found, '/data')).toMatch(message);
  });
});

describe('checkContainerUser', () => {
  it.skipIf(process.getuid?.() !== 0)('rejects the root of the machine (needs root)', () => {
    expect(() => checkContainerUser('         0          0 4294967295\n')).toThrow(/user 1000/);
    expect(checkContainerUser('         0     100000      65536\n')).toBe('0, in a container');
  });
});
