/**
 * The full green road sign with its white inset border. Login and setup only
 * (docs/rules/console.md#road-sign).
 */
import '../theme/sign-font.css';
import type { ReactNode } from 'react';
import classes from './road-sign.module.css';
import { SiteName } from './site-name.tsx';

export function RoadSign({
  width,
  name,
  children,
}: {
  width: number;
  name?: string;
  children: ReactNode;
}) {
  return (
    <aside className={classes.sign} style={{ width }}>
      <div className={classes.inset}>
        <SiteName onSign name={name} />
        {children}
      </div>
    </aside>
  );
}
