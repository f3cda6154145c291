/** The mark: an open toll gate over a road. */
export function Mark({ size = 26, onSign = false }: { size?: number; onSign?: boolean }) {
  const ground = onSign ? '#ffffff' : 'var(--tp-mark, #006B4D)';
  const line = onSign ? '#00654A' : '#ffffff';
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7.5" fill={ground} />
      <path
        d="M10 24V14.2c0-1.7 1-2.7 2.6-3.1l1-.25"
        stroke={line}
        strokeWidth="3.3"
        strokeLinecap="round"
        fill="none"
      />
      <path
        d="m17.4 10 2.6-.65M23 8.6l2.4-.6"
        stroke={line}
        strokeWidth="3.3"
        strokeLinecap="round"
        fill="none"
      />
      <path
        d="M15 24h3.4M21.4 24h3.4"
        stroke={onSign ? '#74C7A8' : '#A2D4C0'}
        strokeWidth="1.9"
        strokeLinecap="round"
        fill="none"
      />
    </svg>
  );
}
