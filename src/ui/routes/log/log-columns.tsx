import { ChevronDown, ChevronRight, MoveRight } from 'lucide-react';
import { Fragment, useMemo } from 'react';
import { logFilters } from '../../../core/entities/log-filters.ts';
import { type LogView, textIn } from '../../../core/logs/log-view.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import { useIsAdmin } from '../../client/session.ts';
import { durationTone, firstTokenTone, ratioTone } from '../../components/measured-tone.ts';
import { CostText } from '../../components/money-text.tsx';
import { ModelLogo } from '../../components/provider-logo.tsx';
import { ValueTag } from '../../components/tag.tsx';
import { clockTime, dayText, durationText, fullTime } from '../../hooks/use-time-text.ts';
import { currentLanguage, useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import type { ScreenColumn } from '../../list/columns.ts';
import { labelOf } from '../../list/declared-filters.ts';
import { CostButton } from './cost-button.tsx';
import classes from './log.module.css';
import { UserButton } from './user-button.tsx';

/** `#9 → #10`: the channels that were tried; the one that served stands in ink. */
function ChannelsText({ row }: { row: LogView }) {
  const { channels, entity } = row;
  if (channels.length === 0) return <span className={classes.dim}>—</span>;
  return (
    <span className={classes.channels} title={entity.channel_name}>
      {channels.map((id, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of the attempts is their identity
        <Fragment key={index}>
          {index > 0 && <MoveRight size={12} strokeWidth={1.75} aria-label="→" />}
          <span className={index < channels.length - 1 ? classes.dim : undefined}>#{id}</span>
        </Fragment>
      ))}
    </span>
  );
}

/** Columns that are filtered by have the filter's label. */
type FilterKey = Exclude<keyof typeof logFilters, 'request'>;
type OwnKey = 'duration' | 'input' | 'cache' | 'output' | 'ratio' | 'cost';
type Cell = Omit<ScreenColumn<LogView>, 'key' | 'label'>;

const dash = <span className={classes.dim}>—</span>;

export function TimeTags({ row, words = false }: { row: LogView; words?: boolean }) {
  const { t } = useTranslation();
  const { entity, firstToken } = row;
  return (
    <span className={classes.tags}>
      <ValueTag tone={durationTone(row.seconds)}>{row.secondsText} s</ValueTag>
      {entity.is_stream && firstToken !== undefined && (
        <ValueTag tone={firstTokenTone(firstToken)}>
          {words
            ? t('log.firstToken', { time: durationText(firstToken) })
            : durationText(firstToken)}
        </ValueTag>
      )}
    </span>
  );
}

/**
 * What sets a request apart: a failure, a test, a realtime connection, usage that nobody but us
 * counted.
 */
export function RowTags({ row }: { row: LogView }) {
  const { t } = useTranslation();
  return (
    <>
      {row.isError && (
        <span className={classes.tags} title={row.entity.content}>
          <ValueTag tone="red">
            {row.other.ended === undefined
              ? (row.other.status_code ?? t('log.error'))
              : t('log.cut')}
          </ValueTag>
        </span>
      )}
      {row.marks.includes('test') && <ValueTag tone="off">{t('log.test')}</ValueTag>}
      {row.marks.includes('realtime') && <ValueTag tone="blu">{t('log.realtime')}</ValueTag>}
      {row.marks.includes('counted') && (
        <span className={classes.tags} title={t('route.counted.text')}>
          <ValueTag tone="yel">{t('log.counted')}</ValueTag>
        </span>
      )}
    </>
  );
}

/** Columns that only administrators have. */
const forAdmins: readonly string[] = ['user', 'channel'];
const hiddenAtFirst: readonly string[] = ['type', 'group', 'tag'];
const alwaysShown: readonly string[] = ['time', 'cost'];

type Toggle = (row: LogView, keep: boolean) => void;

export function useLogColumns(
  open: readonly unknown[],
  onToggle: Toggle,
): readonly ScreenColumn<LogView>[] {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  return useMemo(() => {
    const figure = (of: (row: LogView) => number, dim = false): Cell => ({
      numeric: true,
      render: (row) => {
        if (!row.isRequest || of(row) === 0) return dash;
        return <span className={dim ? classes.dim : undefined}>{formatCount(of(row))}</span>;
      },
    });
    const cells: Record<FilterKey | OwnKey, Cell> = {
      time: {
        width: 164,
        render: (row) => {
          const isOpen = open.includes(row.entity.id);
          const at = clockTime(row.entity.created_at);
          const Icon = isOpen ? ChevronDown : ChevronRight;
          return (
            <span className={classes.time} title={fullTime(row.entity.created_at)}>
              <button
                type="button"
                tabIndex={-1}
                className={classes.chevron}
                aria-expanded={isOpen}
                aria-label={t(isOpen ? 'log.collapse' : 'log.expand', {
                  time: at,
                  model: row.entity.model_name,
                })}
                onClick={(event) => onToggle(row, event.shiftKey)}
              >
                <Icon size={14} strokeWidth={1.75} />
              </button>
              <span className={classes.dim}>{dayText(row.entity.created_at)}</span> {at}
            </span>
          );
        },
      },
      user: {
        render: ({ entity }) => <UserButton id={entity.user_id} name={entity.username} />,
      },
      token: {
        // A test has no token; its mark says what it is.
        render: ({ entity, marks }) =>
          entity.token_name === '' || marks.includes('test') ? (
            dash
          ) : (
            <span className={classes.token} title={entity.token_name}>
              {entity.token_name}
            </span>
          ),
      },
      type: { render: ({ entity }) => t(wordKey('logType', entity.type)) },
      group: { render: ({ group }) => group || dash },
      tag: {
        render: ({ entity: { tags } }) =>
          tags === '' ? (
            dash
          ) : (
            <span className={classes.token} title={tags.replaceAll(',', ', ')}>
              {tags.replaceAll(',', ', ')}
            </span>
          ),
      },
      model: {
        render: (row) =>
          row.isRequest || (row.isError && row.entity.model_name !== '') ? (
            <span className={classes.model} data-own={!admin || undefined}>
              <ModelLogo model={row.entity.model_name} size={16} />
              <span className={classes.modelName} title={row.entity.model_name}>
                {row.entity.model_name}
              </span>
              <RowTags row={row} />
            </span>
          ) : (
            <span className={classes.content} title={textIn(currentLanguage(), row)}>
              <span className={classes.dim}>{t(wordKey('logType', row.entity.type))}</span>{' '}
              {textIn(currentLanguage(), row)}
            </span>
          ),
      },
      channel: { render: (row) => <ChannelsText row={row} /> },
      duration: { render: (row) => (row.isRequest || row.isError ? <TimeTags row={row} /> : dash) },
      input: figure((row) => row.input),
      cache: figure((row) => row.cached, true),
      output: figure((row) => row.entity.completion_tokens),
      ratio: {
        numeric: true,
        render: ({ ratio }) =>
          ratio === undefined ? dash : <ValueTag tone={ratioTone(ratio)}>×{ratio}</ValueTag>,
      },
      cost: {
        numeric: true,
        render: (row) =>
          row.isRequest ? (
            <CostButton row={row} />
          ) : row.entity.quota === 0 ? (
            dash
          ) : (
            <CostText quota={row.entity.quota} />
          ),
      },
    };
    return Object.entries(cells)
      .filter(([key]) => admin || !forAdmins.includes(key))
      .map(([key, cell]) => ({
        key,
        label:
          key in logFilters
            ? labelOf(logFilters[key as FilterKey])
            : t(`log.column.${key as OwnKey}`),
        hidden: hiddenAtFirst.includes(key),
        fixed: alwaysShown.includes(key),
        ...cell,
      }));
  }, [t, admin, open, onToggle]);
}
