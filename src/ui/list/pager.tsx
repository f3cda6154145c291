/**
 * Sticky foot of a list: range and total left, size and pages right (docs/rules/console.md#pager).
 */
import { ActionIcon, Menu } from '@mantine/core';
import {
  Check,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  ChevronsLeft,
  ChevronsRight,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, useState } from 'react';
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
  const step = (to: 'first' | 'previous' | 'next' | 'last', target: number, Icon: LucideIcon) => (
    <ActionIcon
      size={28}
      className={to === 'first' || to === 'last' ? classes.end : undefined}
      disabled={to === 'first' || to === 'previous' ? page <= 1 : page >= pages}
      aria-label={t(`common.page.${to}`)}
      onClick={() => onPage(target)}
    >
      <Icon size={16} />
    </ActionIcon>
  );
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
        {pages > 2 && step('first', 1, ChevronsLeft)}
        {step('previous', page - 1, ChevronLeft)}
        {pages > 1 ? (
          <PageField page={page} pages={pages} onPage={onPage} />
        ) : (
          <b>{formatCount(page)}</b>
        )}
        <span className={classes.of}>/ {formatCount(pages)}</span>
        {step('next', page + 1, ChevronRight)}
        {pages > 2 && step('last', pages, ChevronsRight)}
      </nav>
    </footer>
  );
}

/**
 * The number of the page: Enter or leaving the field goes there, Esc takes back what was typed. A
 * number beyond the last page leads to the last one.
 */
function PageField({
  page,
  pages,
  onPage,
}: Pick<PagerProps, 'page' | 'onPage'> & { pages: number }) {
  const { t } = useTranslation();
  const [text, setText] = useState(String(page));
  // Another page came: by a button, by the browser's history, or because rows were deleted.
  useEffect(() => setText(String(page)), [page]);
  const go = () => {
    const wanted = Math.min(Math.max(1, Number(text)), pages);
    const next = text === '' ? page : wanted;
    setText(String(next));
    if (next !== page) onPage(next);
  };
  return (
    <input
      className={classes.field}
      style={{ width: `${String(pages).length + 3}ch` }}
      inputMode="numeric"
      autoComplete="off"
      aria-label={t('common.page.number')}
      value={text}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setText(event.currentTarget.value.replace(/\D/g, ''))}
      onBlur={go}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') go();
        if (event.key === 'Escape') setText(String(page));
      }}
    />
  );
}
