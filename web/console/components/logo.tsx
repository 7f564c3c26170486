/** @param size its height in px */
export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg height={size} style={{ flexShrink: 0 }} aria-hidden="true" viewBox="0 0 48 56" fill="none">
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
