import type { Appearance } from './appearance.ts';
import { DEFAULT_LIGHT } from './presets.ts';

const PLACES = {
  card: { x: 4, y: 33, width: 64, height: 12, rx: 2.5 },
  bar: { x: 0, y: 36, width: 72, height: 12, rx: 0 },
  box: { x: 21, y: 20, width: 30, height: 25, rx: 2.5 },
  corner: { x: 40, y: 20, width: 28, height: 25, rx: 2.5 },
  modal: { x: 20, y: 11, width: 32, height: 26, rx: 2.5 },
};
export type Shape = keyof typeof PLACES;

/** A page with a banner of a shape. */
export function ShapeDrawing({ shape }: { shape: Shape }) {
  const { x, y, width, height } = PLACES[shape];
  return (
    <svg viewBox="0 0 72 48" aria-hidden="true" className="studio-drawing">
      <rect width={72} height={48} rx={3} className="studio-page" />
      {[8, 14, 20, 26].map((top) => (
        <rect
          key={top}
          x={6}
          y={top}
          width={top % 3 ? 44 : 56}
          height={2}
          className="studio-text"
        />
      ))}
      {shape === 'modal' && <rect width={72} height={48} rx={3} className="studio-veil" />}
      <rect {...PLACES[shape]} className="studio-banner" />
      <rect x={x + 3} y={y + 3.5} width={width / 2 - 3} height={2} className="studio-mark" />
      <rect
        x={x + width - 13}
        y={y + height - 7}
        width={10}
        height={4}
        rx={1}
        className="studio-mark"
      />
    </svg>
  );
}

/** A banner in the light colours of a preset. */
export function PresetDrawing({ colors, radius }: Pick<Appearance, 'colors' | 'radius'>) {
  const get = (name: keyof typeof DEFAULT_LIGHT) => colors.light[name] ?? DEFAULT_LIGHT[name];
  const corner = Math.min(radius / 3, 6);
  return (
    <svg viewBox="0 0 72 36" aria-hidden="true" className="studio-drawing">
      <rect
        x={0.5}
        y={0.5}
        width={71}
        height={35}
        rx={corner}
        fill={get('background')}
        stroke={get('border')}
      />
      <rect x={7} y={7} width={30} height={3} fill={get('text')} />
      <rect x={7} y={13} width={50} height={2} fill={get('text')} opacity={0.55} />
      {[7, 28].map((x) => (
        <g key={x} fill={get('accent')}>
          <rect
            {...{ x, y: 21, width: 18, height: 8, rx: corner / 1.5 }}
            fillOpacity={0.09}
            stroke={get('accent')}
          />
          <rect x={x + 4} y={24} width={10} height={2} />
        </g>
      ))}
    </svg>
  );
}
