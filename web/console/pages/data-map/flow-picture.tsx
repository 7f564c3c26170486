import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { Entry } from '../../api/types.ts';
import { formatCount } from '../../components/format.ts';
import { COLUMNS, flowOf, NODE_WIDTH } from './flow.ts';

const WIDTH = 900;
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
const LONGEST = [38, 42, 30];

const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text;

/** Streams of data from vendors by purposes to kinds of data; the table says the same in words. */
export function FlowPicture({ entries }: { entries: readonly Entry[] }) {
  const { nodes, links, height } = flowOf(entries);
  return (
    <figure className="card" style={{ margin: 0 }}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section className="scroll" tabIndex={0} aria-label="Picture of the data map">
        <svg className="flow" viewBox={`0 0 ${WIDTH} ${height}`}>
          <title>{`${formatCount(entries.length, 'entry', 'entries')}: vendors, purposes, data`}</title>
          {COLUMNS.map((name, column) => (
            <text key={name} className="head" x={column * 330} y={14}>
              {name}
            </text>
          ))}
          {links.map(({ key, title, path, width, color }) => (
            <path key={key} d={path} stroke={COLORS[color % COLORS.length]} strokeWidth={width}>
              <title>{title}</title>
            </path>
          ))}
          {nodes.map(({ key, label, column, entryId, x, y, height: tall }) => {
            const text = (
              <text x={x + NODE_WIDTH + 7} y={y + tall / 2} dominantBaseline="middle">
                {shortened(label, LONGEST[column] ?? 30)}
              </text>
            );
            return (
              <Fragment key={key}>
                <rect x={x} y={y} width={NODE_WIDTH} height={tall} rx={2} fill="var(--ink)" />
                {entryId !== undefined && column === 0 ? (
                  <Link to="/data-map/$id" params={{ id: String(entryId) }}>
                    {text}
                  </Link>
                ) : (
                  text
                )}
              </Fragment>
            );
          })}
        </svg>
      </section>
      <figcaption className="soft small">
        Each stream is one kind of data that one vendor gets for one purpose. The table says the
        same in words.
      </figcaption>
    </figure>
  );
}
