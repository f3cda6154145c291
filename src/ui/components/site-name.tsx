import { useState } from 'react';
import { logoAddress } from '../browser/shown-file.ts';
import { useTranslation } from '../i18n/index.ts';
import { useStatus } from '../queries/use-status.ts';
import classes from './site-name.module.css';

/** The mark: an open toll gate over a road. */
function Mark({ size = 26, onSign = false }: { size?: number; onSign?: boolean }) {
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

/**
 * Mark and system name, with a badge for self-use or demo mode. The site's own logo replaces the
 * mark.
 */
export function SiteName({
  badges = false,
  onSign = false,
  name,
}: {
  badges?: boolean;
  onSign?: boolean;
  name?: string | undefined;
}) {
  const { t } = useTranslation();
  const status = useStatus();
  const badge = status?.demo_site_enabled
    ? t('shell.badge.demo')
    : status?.self_use_mode_enabled
      ? t('shell.badge.selfUse')
      : undefined;
  const [broken, setBroken] = useState('');
  const logo = logoAddress(status?.logo ?? '');
  // The default logo path stands for the mark itself.
  const own = logo !== undefined && logo !== '/logo.png' && logo !== broken;
  return (
    <span className={classes.root} data-sign={onSign || undefined}>
      {own ? (
        <img
          src={logo}
          alt=""
          width={onSign ? 32 : 26}
          height={onSign ? 32 : 26}
          referrerPolicy="no-referrer"
          onError={() => setBroken(logo)}
        />
      ) : (
        <Mark size={onSign ? 32 : 26} onSign={onSign} />
      )}
      {/* Without a status, the title is the site's name: the page came with it. */}
      <span className={classes.name}>{name || (status?.system_name ?? document.title)}</span>
      {badges && badge !== undefined && <span className={classes.badge}>{badge}</span>}
    </span>
  );
}
