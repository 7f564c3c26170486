import { Box, Image } from '@mantine/core';
import { getDownloadUrl } from '../../api/downloads.ts';
import type { Visit } from '../../api/types.ts';

type Control = NonNullable<Visit['banner']>['controls'][number];

const COLORS: Partial<Record<Control['role'], string>> = {
  accept: '#1d6b4f',
  reject: '#a3262b',
};
const TAG = { width: 66, height: 26 };
const NAMES: Partial<Record<Control['role'], string>> = { accept: 'Accept', reject: 'Reject' };

const Tag = ({ x, y, role }: { x: number; y: number; role: Control['role'] }) => (
  <>
    <rect x={x} y={y} {...TAG} rx={4} fill={COLORS[role]} />
    <text x={x + TAG.width / 2} y={y + 18} fontSize={16} textAnchor="middle" fill="#fff">
      {NAMES[role]}
    </text>
  </>
);

/** The window as a visit saw it. With marks, the controls of the banner have a frame and a name. */
export function VisitPicture({
  visit: { id, banner },
  alt,
  isMarked = false,
}: {
  visit: Visit;
  alt: string;
  isMarked?: boolean;
}) {
  const size = banner?.window;
  const marked = (banner?.controls ?? []).filter(({ role, layer }) => layer === 1 && NAMES[role]);
  return (
    <Box pos="relative" bd="1px solid var(--line)" bdrs={6} style={{ overflow: 'hidden' }}>
      <Image src={getDownloadUrl(`/scanner/visits/${id}/picture`)} alt={alt} loading="lazy" />
      {isMarked && size && (
        <svg
          viewBox={`0 0 ${size.width} ${size.height}`}
          aria-hidden="true"
          style={{ position: 'absolute', inset: 0, width: '100%', height: '100%' }}
        >
          {marked.map(({ role, label, x, y, width, height }) => (
            <g key={`${role} ${label}`}>
              <rect
                {...{ width, height, x, y }}
                fill="none"
                stroke={COLORS[role]}
                strokeWidth={4}
                rx={4}
              />
              <Tag
                // Above a button at the edge of the window, where there is no room beside it.
                x={x > TAG.width ? x - TAG.width - 4 : x}
                y={x > TAG.width ? y + (height - TAG.height) / 2 : y - TAG.height - 4}
                role={role}
              />
            </g>
          ))}
        </svg>
      )}
    </Box>
  );
}
