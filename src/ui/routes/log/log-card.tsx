import { ChevronDown, ChevronRight } from 'lucide-react';
import { type LogView, textIn } from '../../../core/logs/log-view.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import { CostText } from '../../components/money-text.tsx';
import { ModelLogo } from '../../components/provider-logo.tsx';
import { ValueTag } from '../../components/tag.tsx';
import { clockTime, dayText } from '../../hooks/use-time-text.ts';
import { currentLanguage, useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import { LogDetails } from './lazy-details.tsx';
import classes from './log.module.css';
import { RowTags, TimeTags } from './log-columns.tsx';

/** A row on a phone; its details open inside the card. */
export function LogCard({
  row,
  open,
  onToggle,
}: {
  row: LogView;
  open: boolean;
  onToggle: () => void;
}) {
  const { t } = useTranslation();
  const { entity } = row;
  const Chevron = open ? ChevronDown : ChevronRight;
  const retries = row.channels.length - 1;
  const hasModel = row.isRequest || (row.isError && entity.model_name !== '');
  const second = [
    `${dayText(entity.created_at)} ${clockTime(entity.created_at)}`,
    (!row.marks.includes('test') && entity.token_name) || entity.username,
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    <>
      <button type="button" className={classes.card} aria-expanded={open} onClick={onToggle}>
        <span className={classes.cardLine}>
          {hasModel && <ModelLogo model={entity.model_name} size={18} />}
          <span className={classes.cardModel}>
            {hasModel ? entity.model_name : t(wordKey('logType', entity.type))}
          </span>
          {(row.isRequest || entity.quota !== 0) && <CostText quota={entity.quota} />}
        </span>
        <span className={classes.cardSecond}>
          <span>{second}</span>
          {row.isRequest && (
            <span>
              {[row.input, entity.completion_tokens]
                .filter((count) => count > 0)
                .map(formatCount)
                .join(' → ')}
            </span>
          )}
        </span>
        <span className={classes.cardLine}>
          {(row.isRequest || row.isError) && <TimeTags row={row} words />}
          {retries > 0 && <ValueTag tone="org">{t('log.retries', { count: retries })}</ValueTag>}
          <RowTags row={row} />
          {!row.isRequest && (
            <span className={classes.content}>{textIn(currentLanguage(), row)}</span>
          )}
          <Chevron size={16} strokeWidth={1.75} aria-hidden="true" />
        </span>
      </button>
      {open && (
        <div className={classes.cardDetails}>
          <LogDetails row={row} />
        </div>
      )}
    </>
  );
}
