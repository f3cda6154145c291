/**
 * The grouped entries, derived from the table of screens; a group without entries does not show.
 */
import { Tooltip } from '@mantine/core';
import { NavLink } from 'react-router';
import { useUser } from '../client/session.ts';
import { useTranslation } from '../i18n/index.ts';
import { useChannelCount } from '../queries/use-overview.ts';
import { useStatus } from '../queries/use-status.ts';
import { screens, sidebarGroups } from '../routes.tsx';
import classes from './navigation.module.css';
import { offeredScreens } from './offered-screens.ts';

export function Navigation({
  collapsed = false,
  tall = false,
  onPick,
}: {
  collapsed?: boolean;
  tall?: boolean;
  onPick?: () => void;
}) {
  const { t } = useTranslation();
  const user = useUser();
  const channels = useChannelCount();
  const offered = offeredScreens(user?.role, useStatus());
  return (
    <nav
      className={classes.nav}
      aria-label={t('shell.nav')}
      data-collapsed={collapsed || undefined}
      data-tall={tall || undefined}
    >
      {sidebarGroups.map(({ group, label }) => {
        const entries = offered.filter(({ sidebar }) => sidebar?.group === group);
        if (entries.length === 0) return null;
        return (
          <div key={group} className={classes.group}>
            {!collapsed && <div className={classes.label}>{t(label)}</div>}
            <ul className={classes.list}>
              {entries.map(({ path, sidebar }) => {
                if (sidebar === undefined) return null;
                const Icon = sidebar.icon;
                const name = t(sidebar.label);
                return (
                  <li key={path}>
                    <Tooltip label={name} position="right" disabled={!collapsed}>
                      <NavLink
                        to={path}
                        end={screens.some(
                          (other) =>
                            other.sidebar !== undefined && other.path.startsWith(`${path}/`),
                        )}
                        className={classes.item ?? ''}
                        aria-label={collapsed ? name : undefined}
                        onClick={onPick}
                      >
                        <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
                        {!collapsed && <span className={classes.name}>{name}</span>}
                        {!collapsed && path === '/channel' && channels !== undefined && (
                          <span className={classes.count}>{channels}</span>
                        )}
                      </NavLink>
                    </Tooltip>
                  </li>
                );
              })}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}
