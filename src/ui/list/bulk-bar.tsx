/**
 * Appears over the pager when rows are selected: count, actions, red delete, ✕
 * (docs/rules/console.md#batch-bar).
 */
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.ts';
import classes from './bulk-bar.module.css';

export function BulkBar({
  count,
  text,
  label,
  onClear,
  children,
}: {
  count: number;
  /** Instead of the number of selected rows. */
  text?: string | undefined;
  label: string;
  onClear: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  if (count === 0) return null;
  return (
    <div className={classes.place} data-foot-bar>
      <div className={classes.bar} role="toolbar" aria-label={label}>
        <span className={classes.count}>{text ?? t('common.selected', { count })}</span>
        {children}
        <i className={classes.rule} />
        <button
          type="button"
          className={`${classes['action']} ${classes['clear']}`}
          aria-label={t('common.selected.clear')}
          onClick={onClear}
        >
          <X size={16} strokeWidth={1.75} />
        </button>
      </div>
    </div>
  );
}

interface BulkActionProps {
  readonly icon: ReactNode;
  readonly label: string;
  readonly onClick: () => void;
  readonly danger?: boolean;
  readonly busy?: boolean;
  /** It selects more rows: phones have it beside the count. */
  readonly selects?: boolean;
}

export function BulkAction({
  icon,
  label,
  onClick,
  danger = false,
  busy = false,
  selects = false,
}: BulkActionProps) {
  return (
    <button
      type="button"
      className={classes.action}
      data-danger={danger || undefined}
      data-selects={selects || undefined}
      disabled={busy}
      onClick={onClick}
    >
      {icon}
      <span>{label}</span>
    </button>
  );
}
