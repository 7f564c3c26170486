import { existsSync, readFileSync } from 'node:fs';

/** A mounted file system: a line of /proc/self/mountinfo (proc_pid_mountinfo(5)). */
export interface Mount {
  /** The folder of the file system that is mounted. */
  source: string;
  /** Where. */
  point: string;
  /** For example `ext4` or `overlay`. */
  type: string;
}

/** The layer of a container, as Docker, Podman and containerd mount it with their usual drivers. */
const LAYERS = ['overlay', 'fuse-overlayfs', 'fuse.fuse-overlayfs', 'aufs', 'btrfs', 'zfs'];
const MEMORY = ['tmpfs', 'ramfs'];
/** A volume of Docker or Podman without a name gets a random one. */
const ANONYMOUS_VOLUME = /\/volumes\/[0-9a-f]{64}\/_data$/;

const FILE = '/proc/self/mountinfo';

/** Empty where the system has no such file. */
export const readMounts = (): Mount[] =>
  existsSync(FILE) ? parseMounts(readFileSync(FILE, 'utf8')) : [];

export const parseMounts = (mountinfo: string): Mount[] =>
  mountinfo
    .split('\n')
    .map((line) => line.split(' '))
    .filter((fields) => fields.includes('-'))
    .map((fields) => ({
      source: decodeField(fields[3]),
      point: decodeField(fields[4]),
      type: fields[fields.indexOf('-') + 1] ?? '',
    }));

/** White space and backslashes are octal. */
const decodeField = (field = ''): string =>
  field.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)));

/** The mount that holds a path. The last one at a point hides those before. */
export const findMount = (mounts: Mount[], path: string): Mount | undefined =>
  mounts
    .filter(({ point }) => point === '/' || path === point || path.startsWith(`${point}/`))
    .reduce<Mount | undefined>(
      (best, each) => (best && best.point.length > each.point.length ? best : each),
      undefined,
    );

/** Docker, Podman and Kubernetes mount a file of their own at /etc/hosts. */
export const isContainer = (mounts: Mount[]): boolean =>
  mounts.some(({ point }) => point === '/etc/hosts');

/**
 * Why data in a folder would be lost or cannot be reached, and what to do. Undefined if nothing is known.
 * @param folder without symbolic links
 */
export function findMountFault(mounts: Mount[], folder: string): string | undefined {
  const mount = findMount(mounts, folder);
  if (!mount) return undefined;
  const { source, point, type } = mount;
  const inContainer = isContainer(mounts);
  const volume = `for example pavis-data:${folder}`;
  if (source.endsWith('/systemd/inaccessible/dir')) {
    return `systemd hides ${point} (ProtectHome= or InaccessiblePaths=), so ${folder} cannot be reached: use the folder of StateDirectory=`;
  }
  if (source.includes('/systemd-private-')) {
    return `${folder} is in the temporary folder of the service (PrivateTmp=) and is lost when it stops: use the folder of StateDirectory=`;
  }
  if (inContainer && point === '/' && LAYERS.includes(type)) {
    return `${folder} is in the container itself and is lost with it: mount a volume there, ${volume}`;
  }
  if (ANONYMOUS_VOLUME.test(source)) {
    return `${folder} is in a volume without a name, and a new container can start with an empty one: give it a name, ${volume}`;
  }
  if (source.includes('/kubernetes.io~empty-dir/')) {
    return `${folder} is in an emptyDir volume and is lost with the pod: use a persistent volume`;
  }
  if (MEMORY.includes(type)) {
    const instead = inContainer ? `mount a volume there, ${volume}` : 'use a folder on a disk';
    return `${folder} is in memory (${type}) and is lost at a restart: ${instead}`;
  }
  return undefined;
}
