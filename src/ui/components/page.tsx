/**
 * The sheet of one screen: header, filters, body, and a foot that stays
 * (docs/rules/console.md#page-layout).
 */
import type { ReactNode, Ref } from 'react';
import { useEffect } from 'react';
import { useStatus } from '../queries/use-status.ts';
import classes from './page.module.css';
import { Whole } from './whole.tsx';

interface PageHeaderProps {
  readonly title: string;
  readonly count?: number | undefined;
  /** One dim sentence that says something true about now. */
  readonly sentence?: ReactNode;
  /** Quiet ones first, one primary last. */
  readonly actions?: ReactNode;
}

/**
 * A list's page: the body scrolls, header and foot stay. On phones and low windows the whole sheet
 * scrolls.
 */
export function ListPage({ children, ref }: { children: ReactNode; ref?: Ref<HTMLDivElement> }) {
  return (
    <div ref={ref} className={classes.list}>
      {children}
    </div>
  );
}

export function PageHeader({ title, count, sentence, actions }: PageHeaderProps) {
  const status = useStatus();
  const site = status?.system_name;
  useEffect(() => {
    document.title = site === undefined ? title : `${title} · ${site}`;
  }, [title, site]);
  return (
    <header className={classes.header}>
      <div className={classes.words}>
        <h1 className={classes.title}>
          {title}
          {count !== undefined && (
            <span className={classes.count}>{count.toLocaleString('en-US')}</span>
          )}
        </h1>
        {sentence !== undefined && (
          <p className={classes.sentence}>
            <Whole text={sentence} />
          </p>
        )}
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </header>
  );
}
