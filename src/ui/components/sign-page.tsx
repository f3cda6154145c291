/**
 * A page beside the road sign: language and theme at its corner, and on phones the mark instead of
 * the sign.
 */
import type { ReactNode } from 'react';
import { LanguageMenu } from './language-menu.tsx';
import classes from './sign-page.module.css';
import { SiteName } from './site-name.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

export function SignPage({
  sign,
  name,
  children,
}: {
  sign: ReactNode;
  name?: string;
  children: ReactNode;
}) {
  return (
    <div className={classes.root}>
      {sign}
      <div className={classes.side}>
        <header className={classes.corner}>
          <span className={classes.mark}>
            <SiteName badges name={name} />
          </span>
          <LanguageMenu />
          <ThemeSwitch />
        </header>
        <main className={classes.main}>{children}</main>
      </div>
    </div>
  );
}
