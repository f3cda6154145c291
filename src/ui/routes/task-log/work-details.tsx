/**
 * What opens under a row: the result beside order, reason, times and cost
 * (docs/rules/task-logs.md#log-screens).
 */
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TaskEntity } from '../../../core/contract/task-logs.ts';
import { type TaskResult, taskOrder, taskResults } from '../../../core/contract/task-results.ts';
import { drawingFilters } from '../../../core/entities/task-filters.ts';
import { parseJson, parseObject } from '../../../core/kernel/json.ts';
import type { DrawingView, TaskView } from '../../../core/tasks/task-view.ts';
import { reachable } from '../../browser/result-address.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { CostText } from '../../components/money-text.tsx';
import { ShownFile } from '../../components/shown-file.tsx';
import { durationText, fullTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { labelOf } from '../../list/declared-filters.ts';
import { ImagePreview } from './preview.tsx';
import classes from './work-details.module.css';

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** A text as it was given, with a button that copies it. */
function LongText({ title, text, tone }: { title: string; text: string; tone?: 'red' }) {
  const { t } = useTranslation();
  if (text === '') return null;
  return (
    <section className={classes.block}>
      <h2 className={classes.title}>
        {title} <CopyButton text={text} label={t('taskLog.copyText', { what: title })} />
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keyboard */}
      <p className={classes.text} data-tone={tone} tabIndex={0}>
        {text}
      </p>
    </section>
  );
}

function Facts({
  row,
  more = [],
}: {
  row: TaskView;
  more?: readonly (readonly [string, ReactNode])[];
}) {
  const { t } = useTranslation();
  const { quota, refunded } = row.entity;
  const facts: (readonly [string, ReactNode])[] = [
    ...more,
    [labelOf(drawingFilters.time), fullTime(row.submitted)],
    ...(row.started > 0 ? [[t('taskLog.column.started'), fullTime(row.started)] as const] : []),
    ...(row.finished > 0 ? [[t('taskLog.column.finished'), fullTime(row.finished)] as const] : []),
    ...(row.seconds !== undefined
      ? [[t('taskLog.column.duration'), durationText(row.seconds)] as const]
      : []),
    refunded > 0
      ? [t('taskLog.refunded'), <CostText key="refunded" quota={refunded} />]
      : [
          t('taskLog.column.cost'),
          quota === 0 ? t('taskLog.free') : <CostText key="cost" quota={quota} />,
        ],
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Video({ address, name }: { address: string; name: string }) {
  return (
    <ShownFile address={address} kind="video">
      {(src, onBroken) => (
        // biome-ignore lint/a11y/useMediaCaption: generated videos have no captions
        <video
          className={classes.video}
          src={src}
          aria-label={name}
          controls
          preload="metadata"
          playsInline
          onError={onBroken}
        />
      )}
    </ShownFile>
  );
}

function Audio({ address, name }: { address: string; name: string }) {
  return (
    <ShownFile address={address} kind="audio">
      {(src, onBroken) => (
        // biome-ignore lint/a11y/useMediaCaption: the lyrics stand below
        <audio
          className={classes.audio}
          src={src}
          aria-label={name}
          controls
          preload="metadata"
          onError={onBroken}
        />
      )}
    </ShownFile>
  );
}

function Original({ address }: { address: string }) {
  const { t } = useTranslation();
  return (
    <a
      className={classes.original}
      href={reachable(address)}
      target="_blank"
      rel="noopener noreferrer"
    >
      {t('taskLog.openOriginal')} <ExternalLink size={14} strokeWidth={1.75} aria-hidden="true" />
    </a>
  );
}

export function DrawingDetails({ row }: { row: DrawingView }) {
  const { t } = useTranslation();
  const { entity } = row;
  const name = entity.prompt || row.publicId;
  const finalPrompt = textOf(parseObject(entity.properties)?.['finalPrompt']);
  const list = parseJson(entity.video_urls);
  const videos = [entity.video_url, ...(Array.isArray(list) ? list.map(textOf) : [])].filter(
    (address, place, all) => reachable(address) !== '' && all.indexOf(address) === place,
  );
  const hasResult = reachable(entity.image_url) !== '' || videos.length > 0;
  return (
    <div className={classes.root} data-bare={!hasResult || undefined}>
      {hasResult && (
        <div className={classes.results}>
          {videos.map((address) => (
            <Video key={address} address={address} name={name} />
          ))}
          <ImagePreview address={entity.image_url} name={name} large />
        </div>
      )}
      <div className={classes.texts}>
        <LongText title={t('taskLog.column.reason')} text={entity.fail_reason} tone="red" />
        <LongText title={t('taskLog.column.prompt')} text={entity.prompt} />
        {entity.prompt_en !== entity.prompt && (
          <LongText title={t('taskLog.column.promptEn')} text={entity.prompt_en} />
        )}
        {finalPrompt !== entity.prompt && finalPrompt !== entity.prompt_en && (
          <LongText title={t('taskLog.finalPrompt')} text={finalPrompt} />
        )}
        <Facts row={row} />
      </div>
    </div>
  );
}

/** `2:23`. */
function lengthText(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

function Result({ result, name }: { result: TaskResult; name: string }) {
  const { t } = useTranslation();
  const title = result.title || name;
  const length = result.seconds > 0 ? lengthText(result.seconds) : '';
  const second = [result.tags, length].filter(Boolean).join(' · ');
  return (
    <article className={classes.result}>
      {(result.title !== '' || second !== '') && (
        <header className={classes.head}>
          {result.image !== '' && result.video === '' && (
            <ImagePreview address={result.image} name={title} />
          )}
          <div>
            <h2 className={classes.name}>{title}</h2>
            {second !== '' && <p className={classes.second}>{second}</p>}
          </div>
        </header>
      )}
      {result.video !== '' && <Video address={result.video} name={title} />}
      {result.audio !== '' && <Audio address={result.audio} name={title} />}
      {result.image !== '' && result.audio === '' && result.video === '' && (
        <ImagePreview address={result.image} name={title} large />
      )}
      <LongText title={t('taskLog.lyrics')} text={result.text} />
      {(result.video || result.audio) !== '' && <Original address={result.video || result.audio} />}
    </article>
  );
}

export function TaskDetails({ row }: { row: TaskView<TaskEntity> }) {
  const { t } = useTranslation();
  const { entity } = row;
  const { prompt, model } = taskOrder(entity);
  const results = taskResults(entity);
  return (
    <div className={classes.root} data-bare={results.length === 0 || undefined}>
      {results.length > 0 && (
        <div className={classes.results}>
          {results.map((result, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: results have no other identity
            <Result key={place} result={result} name={prompt || row.publicId} />
          ))}
        </div>
      )}
      <div className={classes.texts}>
        <LongText title={t('taskLog.column.reason')} text={entity.fail_reason} tone="red" />
        <LongText title={t('taskLog.column.prompt')} text={prompt} />
        <Facts row={row} more={model === '' ? [] : [[t('taskLog.column.model'), model]]} />
      </div>
    </div>
  );
}
