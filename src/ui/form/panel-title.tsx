import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { PanelId } from '../../core/options/facts.ts';
import { settingAddress } from '../browser/setting-address.ts';
import classes from './panel-title.module.css';

interface PanelTitleProps {
  readonly id: string;
  readonly panel: PanelId;
  /** Something in the panel is unsaved. */
  readonly changed?: boolean;
  readonly children: ReactNode;
}

/** The title of a panel of the settings, which is a link to it: so its address can be shared. */
export function PanelTitle({ id, panel, changed = false, children }: PanelTitleProps) {
  return (
    <h2 id={id} className={classes.title} data-changed={changed || undefined}>
      <Link to={settingAddress(panel)} replace>
        {children}
      </Link>
    </h2>
  );
}
