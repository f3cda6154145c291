import { useState } from 'react';
import { logoAddress } from '../browser/shown-file.ts';
import { useTranslation } from '../i18n/index.ts';
import { useStatus } from '../queries/use-status.ts';
import { Mark } from './mark.tsx';
import classes from './site-name.module.css';

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
