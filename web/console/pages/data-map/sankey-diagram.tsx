import { Card, SegmentedControl, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Entry } from '../../api/types.ts';
import { formatCount } from '../../components/format.ts';
import { layOut, type Node, STAGES } from './sankey.ts';

/** Below this width only two stages fit with their labels. */
const WIDE = 720;
const LABEL_GAP = 7;
const LINE_HEIGHT = 14;
const CHARACTER_WIDTH = 6.6;
const COLORS = [
  '#b4501c',
  '#2f6f5b',
  '#2b4f8c',
  '#c08a1e',
  '#7a3f77',
  '#3c7f94',
  '#8a5a3a',
  '#5f7a2a',
];

/** Which vendor processes which data for which purpose. The table lists the same entries. */
export function SankeyDiagram({ entries }: { entries: readonly Entry[] }) {
  const { ref, width: measured } = useElementSize();
  const [half, setHalf] = useState('0');
  const isWide = measured >= WIDE;
  const first = isWide ? 0 : Number(half);
  const last = isWide ? 2 : first + 1;
  const width = Math.max(240, measured);
  const { nodes, streams, height } = layOut(entries, [first, last], {
    width,
    padding: isWide ? 14 : 30,
  });
  const column = width / (last - first);
  return (
    <Card component="figure" m={0}>
      {!isWide && measured > 0 && (
        <SegmentedControl
          fullWidth
          orientation="vertical"
          transitionDuration={0}
          styles={{
            label: { whiteSpace: 'normal', overflow: 'visible' },
            innerLabel: { whiteSpace: 'normal' },
            // Its width follows a resize in a transition: until then it must not overflow.
            indicator: { maxWidth: 'calc(100% - 8px)' },
          }}
          mb="md"
          aria-label="Stages"
          value={half}
          onChange={setHalf}
          data={[
            { value: '0', label: `${STAGES[0]} → ${STAGES[1]}` },
            { value: '1', label: `${STAGES[1]} → ${STAGES[2]}` },
          ]}
        />
      )}
      <section ref={ref} className="scroll" aria-label="Sankey diagram of the data map">
        <svg
          display="block"
          fontSize={12.5}
          fill="var(--mantine-color-text)"
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
        >
          <title>{formatCount(entries.length, 'entry', 'entries')}</title>
          {STAGES.slice(first, last + 1).map((name, index) => (
            <text
              key={name}
              fill="var(--soft)"
              x={index * column}
              y={12}
              textAnchor={index === 0 ? 'start' : index === last - first ? 'end' : 'middle'}
            >
              {name}
            </text>
          ))}
          {streams.map(({ key, title, path, width: stroke, color }) => (
            <path
              key={key}
              d={path}
              fill="none"
              strokeOpacity={0.45}
              stroke={COLORS[color % COLORS.length]}
              strokeWidth={Math.max(2, (stroke ?? 0) - 2)}
            >
              <title>{title}</title>
            </path>
          ))}
          {nodes.map((node) => (
            <NodeShape
              key={node.key}
              node={node}
              isLast={node.stage === last}
              room={isWide ? column - (node.stage === 1 ? 170 : 40) : width / 2 - 26}
              lines={isWide ? 2 : 3}
            />
          ))}
        </svg>
      </section>
      <Text component="figcaption" size="sm" c="dimmed" mt="md">
        Each stream is one data category that a vendor processes for a purpose. The table lists the
        same entries.
      </Text>
    </Card>
  );
}

function NodeShape({
  node,
  isLast,
  room,
  lines: maxLines,
}: {
  node: Node;
  isLast: boolean;
  /** The width for the label, in pixels. */
  room: number;
  lines: number;
}) {
  const { x0 = 0, x1 = 0, y0 = 0, y1 = 0, label, entryId } = node;
  const lines = wrap(label, Math.floor(room / CHARACTER_WIDTH), maxLines);
  const x = isLast ? x0 - LABEL_GAP : x1 + LABEL_GAP;
  const top = (y0 + y1) / 2 - ((lines.length - 1) * LINE_HEIGHT) / 2;
  const text = (
    <text
      textAnchor={isLast ? 'end' : 'start'}
      dominantBaseline="middle"
      paintOrder="stroke"
      stroke="var(--mantine-color-body)"
      strokeWidth={3.5}
      strokeLinejoin="round"
    >
      <title>{label}</title>
      {lines.map((line, index) => (
        <tspan key={line} x={x} y={top + index * LINE_HEIGHT}>
          {line}
        </tspan>
      ))}
    </text>
  );
  return (
    <>
      <rect x={x0} y={y0} width={x1 - x0} height={Math.max(2, y1 - y0)} rx={2} fill="var(--ink)" />
      {entryId === undefined ? (
        text
      ) : (
        <Link to="/data-map/$id" params={{ id: String(entryId) }}>
          {text}
        </Link>
      )}
    </>
  );
}

/** Breaks a label into lines; what does not fit into the last one is cut off. */
function wrap(label: string, length: number, maxLines: number): string[] {
  if (label.length <= length) return [label];
  if (maxLines === 1) return [`${label.slice(0, length - 1).trimEnd()}…`];
  const space = label.lastIndexOf(' ', length);
  const end = space > 0 ? space : length;
  return [label.slice(0, end), ...wrap(label.slice(end).trim(), length, maxLines - 1)];
}
