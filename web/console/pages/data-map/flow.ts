import type { Entry } from '../../api/types.ts';
import { toLabel } from '../../components/format.ts';

export const COLUMNS = ['Vendor', 'Purpose', 'Data'] as const;
const GAP = 12;
const UNIT = 17;
const LEFT = [0, 330, 660] as const;
const TOP = 34;
export const NODE_WIDTH = 9;

export interface FlowNode {
  key: string;
  label: string;
  column: 0 | 1 | 2;
  /** The entry that it leads to, where it is of one. */
  entryId: number | undefined;
  x: number;
  y: number;
  height: number;
}

export interface FlowLink {
  key: string;
  title: string;
  path: string;
  width: number;
  color: number;
}

/**
 * Entries as streams from vendors by purposes to kinds of data, each kind of data of an entry a stream
 * of one width; what is high is touched by much.
 */
export function flowOf(entries: readonly Entry[]): {
  nodes: FlowNode[];
  links: FlowLink[];
  height: number;
} {
  const columns: [Map<string, Stop>, Map<string, Stop>, Map<string, Stop>] = [
    new Map(),
    new Map(),
    new Map(),
  ];
  const streams: { stops: [Stop, Stop, Stop]; weight: number }[] = [];
  for (const { id, vendor_slug, vendor_name, purpose, data_categories } of entries) {
    const kinds = data_categories.length > 0 ? data_categories : ['not_said'];
    for (const kind of kinds) {
      const stops: [Stop, Stop, Stop] = [
        stopAt(columns[0], vendor_slug, vendor_name, id),
        stopAt(columns[1], purpose, purpose, id),
        stopAt(columns[2], toLabel(kind), toLabel(kind), undefined),
      ];
      for (const stop of stops) stop.weight += 1;
      streams.push({ stops, weight: 1 });
    }
  }
  const nodes: FlowNode[] = [];
  const heights = columns.map((stops, column) => {
    let y = TOP;
    for (const stop of stops.values()) {
      stop.y = y;
      const height = stop.weight * UNIT;
      nodes.push({
        ...{ key: `${column} ${stop.key}`, label: stop.label, entryId: stop.entryId },
        ...{ column: column as 0 | 1 | 2, x: LEFT[column] ?? 0, y, height },
      });
      y += height + GAP;
    }
    return y;
  });
  const order = [...columns[1].keys()];
  const links = streams.flatMap(({ stops }, index) =>
    ([0, 1] as const).map((from): FlowLink => {
      const [start, end] = [stops[from], stops[from + 1] as Stop];
      const y1 = start.y + UNIT * (start.out + 0.5);
      const y2 = end.y + UNIT * (end.in + 0.5);
      start.out += 1;
      end.in += 1;
      const x1 = (LEFT[from] ?? 0) + NODE_WIDTH;
      const x2 = LEFT[from + 1] ?? 0;
      const middle = (x1 + x2) / 2 + (from === 0 ? 60 : 90);
      return {
        key: `${index} ${from}`,
        title: stops.map(({ label }) => label).join(' → '),
        path: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`,
        width: UNIT - 3,
        color: order.indexOf(stops[1].key),
      };
    }),
  );
  return { nodes, links, height: Math.max(...heights) };
}

interface Stop {
  key: string;
  label: string;
  entryId: number | undefined;
  weight: number;
  y: number;
  in: number;
  out: number;
}

function stopAt(
  stops: Map<string, Stop>,
  key: string,
  label: string,
  entryId: number | undefined,
): Stop {
  const known = stops.get(key);
  if (known) return known;
  const stop = { key, label, entryId, weight: 0, y: 0, in: 0, out: 0 };
  stops.set(key, stop);
  return stop;
}
