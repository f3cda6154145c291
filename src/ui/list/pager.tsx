/**
 * Sticky foot of a list: range and total left, size and pages right (docs/rules/console.md#pager).
 */
import { ActionIcon, Menu } from '@mantine/core';
import { Check, ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react';
import { formatCount } from '../../core/pricing/format.ts';
import { useTranslation } from '../i18n/index.ts';
import classes from './pager.module.css';
import { pageSizes } from './use-page-size.ts';

interface PagerProps {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
  /** Absent: the size is fixed. */
  readonly onPageSize?: (size: number) => void;
}

export function Pager({ page, pageSize, total, onPage, onPageSize }: PagerProps) {
  const { t } = useTranslation();
  // What is empty says so itself.
  if (total === 0) return null;
  const pages = Math.max(1, Math.ceil(total / pageSize));
  const from = (page - 1) * pageSize + 1;
  const to = Math.min(total, page * pageSize);
  const range = {
    from: formatCount(from),
    to: formatCount(to),
    total: formatCount(total),
    count: total,
  };
  return (
    <footer className={classes.root} data-foot-bar>
      <span className={classes.range}>{t('common.range', range)}</span>
      {onPageSize !== undefined && (
        <Menu position="top-end">
          <Menu.Target>
            <button type="button" className={classes.size}>
              {t('common.pageSize', { size: pageSize })}
              <ChevronDown size={12} aria-hidden="true" />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {pageSizes.map((size) => (
              <Menu.Item
                key={size}
                onClick={() => onPageSize(size)}
                rightSection={size === pageSize ? <Check size={14} /> : undefined}
              >
                {size}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <nav className={classes.pages} aria-label={t('common.page.number')}>
        <ActionIcon
          size={28}
          disabled={page <= 1}
          aria-label={t('common.page.previous')}
          onClick={() => onPage(page - 1)}
        >
          <ChevronLeft size={16} />
        </ActionIcon>
        <span>
          <b>{formatCount(page)}</b>{' '}
          <span className={classes.of}>{t('common.page.of', { pages: formatCount(pages) })}</span>
        </span>
        <ActionIcon
          size={28}
          disabled={page >= pages}
          aria-label={t('common.page.next')}
          onClick={() => onPage(page + 1)}
        >
          <ChevronRight size={16} />
        </ActionIcon>
      </nav>
    </footer>
  );
}
