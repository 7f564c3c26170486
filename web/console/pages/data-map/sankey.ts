import {
  type SankeyLink,
  type SankeyNode,
  sankey,
  sankeyJustify,
  sankeyLinkHorizontal,
} from 'd3-sankey';
import type { Entry } from '../../api/types.ts';
import { toLabel } from '../../components/format.ts';

/** Vendors, purposes and data categories, in this order. */
export const STAGES = ['Vendors', 'Purposes', 'Data categories'] as const;

const NODE_WIDTH = 10;
const STREAM_HEIGHT = 16;
const TOP = 24;

interface NodeFields {
  key: string;
  label: string;
  stage: number;
  /** The first entry of a vendor. */
  entryId: number | undefined;
}
interface LinkFields {
  key: string;
  title: string;
  /** Streams of one purpose have one colour. */
  color: number;
}
export type Node = SankeyNode<NodeFields, LinkFields>;
export type Stream = SankeyLink<NodeFields, LinkFields> & { path: string };

/**
 * Lays out the entries as streams between two or all three stages.
 * @param stages the first and the last stage shown, as indices of `STAGES`
 */
export function layOut(
  entries: readonly Entry[],
  [first, last]: readonly [number, number],
  { width, padding }: { width: number; padding: number },
): { nodes: Node[]; streams: Stream[]; height: number } {
  const nodes = new Map<string, NodeFields>();
  const links = new Map<string, LinkFields & { source: string; target: string; value: number }>();
  const purposes = [...new Set(entries.map(({ purpose }) => purpose))];
  const add = (stage: number, label: string, entryId?: number): string => {
    const key = `${stage} ${label}`;
    if (!nodes.has(key)) nodes.set(key, { key, label, stage, entryId });
    return key;
  };
  for (const { id, vendor_name, purpose, data_categories } of entries) {
    const categories = data_categories.length > 0 ? data_categories : ['not_stated'];
    for (const category of categories) {
      const labels = [vendor_name, purpose, toLabel(category)];
      const keys = labels.map((label, stage) =>
        stage < first || stage > last ? '' : add(stage, label, stage === 0 ? id : undefined),
      );
      for (let stage = first; stage < last; stage += 1) {
        const [source = '', target = ''] = [keys[stage], keys[stage + 1]];
        const key = `${source} → ${target}`;
        const known = links.get(key);
        if (known) known.value += 1;
        else {
          const title = `${labels[stage]} → ${labels[stage + 1]}`;
          links.set(key, {
            key,
            source,
            target,
            value: 1,
            title,
            color: purposes.indexOf(purpose),
          });
        }
      }
    }
  }
  const total = [...links.values()].reduce((sum, { value }) => sum + value, 0) / (last - first);
  const rows = Math.max(
    ...STAGES.map((_, stage) => [...nodes.values()].filter((node) => node.stage === stage).length),
  );
  const height = TOP + total * STREAM_HEIGHT + rows * padding;
  const graph = sankey<NodeFields, LinkFields>()
    .nodeId(({ key }) => key)
    .nodeAlign(sankeyJustify)
    .nodeWidth(NODE_WIDTH)
    .nodePadding(padding)
    .nodeSort(null)
    .extent([
      [0, TOP],
      [width, height],
    ])({ nodes: [...nodes.values()], links: [...links.values()] });
  const toPath = sankeyLinkHorizontal<NodeFields, LinkFields>();
  return {
    nodes: graph.nodes,
    streams: graph.links.map((link) => ({ ...link, path: toPath(link) ?? '' })),
    height,
  };
}
