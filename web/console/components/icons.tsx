const PATHS = {
  overview: 'M3 12l9-8 9 8M6 10v10h12V10',
  scanner: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4',
  consent: 'M9 12l2 2 4-5M5 4h14v9c0 4-3 6-7 8-4-2-7-4-7-8z',
  banner: 'M3 5h18v14H3zM3 14h18M15 16.500h3',
  vendors: 'M4 20V9l8-5 8 5v11M9 20v-6h6v6M4 20h16',
  map: 'M6 6h4v4H6zM14 14h4v4h-4zM14 4h4v4h-4zM10 8h4M8 10c0 5 2 6 6 6',
  scripts: 'M8 7l-5 5 5 5M16 7l5 5-5 5M13.500 5l-3 14',
  requests: 'M4 5h16v11H9l-5 4zM8 9h8M8 12h5',
  retention: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.500 2',
  developer:
    'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.600 5.600l2.100 2.100M16.300 16.300l2.100 2.100M18.400 5.600l-2.100 2.100M7.700 16.300l-2.100 2.100',
  licence: 'M8 10a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 11l8-8M16 6l3 3',
  users:
    'M9 5a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM3 20c0-4 2.500-6 6-6s6 2 6 6M16 5.400a3.300 3.300 0 0 1 0 6.200M17.500 14.400c2.300.8 3.500 2.700 3.500 5.600',
  security: 'M12 3l7 3v5c0 5-3 8.500-7 10-4-1.500-7-5-7-10V6zM12 8v5M12 16v.4',
  settings: 'M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4M4 12h4M12 12h8M10 10v4',
  card: 'M3 6h18v12H3zM3 10h18M7 14.500h4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2',
  moon: 'M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z',
  leave: 'M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9',
  alert: 'M12 4l9 16H3zM12 10v4M12 16.800v.4',
  check: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12l3 3 5-6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  done: 'M5 12.500l4.500 4.500L19 7.500',
  plus: 'M12 5v14M5 12h14',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing beside words; it says nothing of its own. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Shield() {
  return (
    <svg className="shield" aria-hidden="true" viewBox="0 0 48 56" fill="none">
      <path
        d="M4 4h40v24c0 14-9 21-20 26C13 49 4 42 4 28z"
        stroke="currentColor"
        strokeWidth="4"
        strokeLinejoin="round"
      />
      <path d="M24 4v50" stroke="#e8894f" strokeWidth="5" />
    </svg>
  );
}
