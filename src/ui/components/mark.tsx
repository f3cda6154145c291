/** The mark: an open toll gate over a lane. */
export function Mark({ size = 26, onSign = false }: { size?: number; onSign?: boolean }) {
  const ground = onSign ? '#ffffff' : 'var(--tp-mark, #006B4D)';
  const line = onSign ? '#00654A' : '#ffffff';
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7.5" fill={ground} />
      <path d="M9.5 24.5V13.5" stroke={line} strokeWidth="3.4" strokeLinecap="round" fill="none" />
      <path d="M9.5 12.5 25 8.2" stroke={line} strokeWidth="3.2" strokeDasharray="5.6 2.6" fill="none" />
      <path d="M14.5 24.5h10.5" stroke={onSign ? '#74C7A8' : '#A2D4C0'} strokeWidth="1.9" strokeDasharray="4.4 2" fill="none" />
    </svg>
  );
}
