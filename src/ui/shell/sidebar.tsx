import { Tooltip } from '@mantine/core';
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { useTranslation } from '../i18n/index.ts';
import { Navigation } from './navigation.tsx';
import classes from './sidebar.module.css';

/** 200 px, or 60 px with icons and tooltips; the collapse switch is the last item. */
export function Sidebar({ collapsed, onToggle }: { collapsed: boolean; onToggle: () => void }) {
  const { t } = useTranslation();
  const label = t(collapsed ? 'shell.expand' : 'shell.collapse');
  return (
    <aside className={classes.side} data-collapsed={collapsed || undefined}>
      <div className={classes.scroll}>
        <Navigation collapsed={collapsed} />
      </div>
      <Tooltip label={label} position="right" disabled={!collapsed}>
        <button
          type="button"
          className={classes.collapse}
          aria-label={label}
          aria-expanded={!collapsed}
          onClick={onToggle}
        >
          {collapsed ? (
            <PanelLeftOpen size={16} strokeWidth={1.75} />
          ) : (
            <PanelLeftClose size={16} strokeWidth={1.75} />
          )}
          {!collapsed && <span>{label}</span>}
        </button>
      </Tooltip>
    </aside>
  );
}
