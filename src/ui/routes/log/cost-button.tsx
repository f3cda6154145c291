/**
 * Each cost is a button: hover or keyboard focus for 300 ms, click or Enter opens its ticket
 * (docs/rules/console.md#price-ticket).
 */
import { Popover } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { LogView } from '../../../core/logs/log-view.ts';
import { CostText } from '../../components/money-text.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import { PriceTicket, preloadTicket } from './lazy-details.tsx';
import classes from './log.module.css';

const hoverMs = 300;

export function CostButton({ row }: { row: LogView }) {
  const { t } = useTranslation();
  const money = useMoney();
  const [open, setOpen] = useState(false);
  // Opened by a click it stays until it is closed; opened by hovering it leaves with the pointer.
  const pinned = useRef(false);
  // Focus that returns when the ticket closes must not open it again.
  const ignoresFocus = useRef(false);
  const timer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const later = (next: boolean, ms: number) => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setOpen(next), ms);
  };
  const leave = () => {
    if (!pinned.current) later(false, 120);
  };
  const close = (next: boolean) => {
    window.clearTimeout(timer.current);
    pinned.current = false;
    ignoresFocus.current = !next;
    setOpen(next);
  };
  return (
    <Popover
      opened={open}
      onChange={close}
      position="bottom-end"
      width={380}
      withinPortal
      returnFocus={pinned.current}
    >
      <Popover.Target>
        <button
          type="button"
          className={classes.cost}
          aria-label={t('log.cost.explain', { amount: money.cost(row.entity.quota).text })}
          aria-expanded={open}
          onPointerEnter={(event) => {
            preloadTicket();
            if (event.pointerType === 'mouse') later(true, hoverMs);
          }}
          onPointerLeave={leave}
          onFocus={(event) => {
            if (!ignoresFocus.current && event.currentTarget.matches(':focus-visible'))
              later(true, hoverMs);
          }}
          onBlur={() => {
            ignoresFocus.current = false;
            leave();
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !open) return;
            // The focus never left the button, and the row must not take it.
            event.stopPropagation();
            close(false);
          }}
          onClick={() => {
            window.clearTimeout(timer.current);
            const next = !(open && pinned.current);
            pinned.current = next;
            setOpen(next);
          }}
        >
          <CostText quota={row.entity.quota} />
        </button>
      </Popover.Target>
      <Popover.Dropdown
        p={0}
        className={classes.popover ?? ''}
        onPointerEnter={() => window.clearTimeout(timer.current)}
        onPointerLeave={leave}
      >
        <PriceTicket row={row.entity} />
      </Popover.Dropdown>
    </Popover>
  );
}
