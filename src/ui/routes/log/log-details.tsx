/** What opens under a row: the ticket beside the route (docs/rules/console.md#expansion). */

import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { RouteStep } from '../../../core/contract/log-other.ts';
import { logFilters } from '../../../core/entities/log-filters.ts';
import { type LogView, textIn } from '../../../core/logs/log-view.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import { useIsAdmin } from '../../client/session.ts';
import { PriceTicket } from '../../components/price-ticket.tsx';
import { TypeLogo } from '../../components/provider-logo.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { durationText, fullTime } from '../../hooks/use-time-text.ts';
import { currentLanguage, type Translate, useTranslation } from '../../i18n/index.ts';
import { labelOf } from '../../list/declared-filters.ts';
import { useChannelNames } from '../../queries/use-overview.ts';
import classes from './log-details.module.css';

export function LogDetails({ row }: { row: LogView }) {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const route = row.other.admin_info?.route ?? [];
  return (
    <div className={classes.root}>
      {row.isRequest && (
        <div className={classes.ticket}>
          <PriceTicket row={row.entity} />
        </div>
      )}
      <div className={classes.route}>
        {admin && route.length > 0 && (
          <>
            <h2 className={classes.title}>{t('route.title')}</h2>
            <ol className={classes.steps}>
              {route.map((step, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the order of the attempts is their identity
                <Step key={index} step={step} isLast={index === route.length - 1} />
              ))}
            </ol>
            <Considered steps={route} />
          </>
        )}
        {(!admin || route.length === 0) && (row.isRequest || row.isError) && (
          <h2 className={classes.title}>{t('route.title.self')}</h2>
        )}
        <Facts row={row} ruled={admin && route.length > 0} />
      </div>
    </div>
  );
}

/** Among whom the first channel was chosen, and who was passed over. */
function Considered({ steps }: { steps: readonly RouteStep[] }) {
  const { t } = useTranslation();
  const channels = useChannelNames();
  const nameOf = (id: number) => {
    const name =
      steps.find((step) => step.channel === id)?.name ??
      channels.find((channel) => channel.id === id)?.name;
    return name === undefined ? `#${id}` : `#${id} ${name}`;
  };
  const { candidates = [], skipped = [] } = steps[0] ?? {};
  if (candidates.length === 0 && skipped.length === 0) return null;
  const joint = t('common.joint');
  const passed = skipped.map(({ channel, reason }) =>
    t('route.skip.one', { name: nameOf(channel), why: t(`route.skip.${reason}`) }),
  );
  return (
    <div className={classes.skipped}>
      {candidates.length > 0 && (
        <p>{t('route.candidates', { names: candidates.map(nameOf).join(joint) })}</p>
      )}
      {passed.length > 0 && <p>{t('route.skipped', { names: passed.join(joint) })}</p>}
    </div>
  );
}

function Step({ step, isLast }: { step: RouteStep; isLast: boolean }) {
  const { t } = useTranslation();
  const served = step.error === undefined;
  const reason =
    step.reason === 'priority' || step.reason === 'weight'
      ? t(step.reason === 'weight' ? 'route.drawn' : 'route.chosen', {
          priority: step.priority,
          weight: step.weight,
        })
      : t(`route.reason.${step.reason}`);
  const words = served
    ? reason
    : [
        step.status > 0 ? String(step.status) : '',
        step.message ?? step.error,
        durationText(step.ms / 1000),
        isLast ? '' : t('route.left'),
      ]
        .filter((word) => word !== '')
        .join(' · ');
  return (
    <li className={classes.step}>
      <span className={classes.mark} data-served={served || undefined}>
        {served ? (
          <Check size={12} strokeWidth={2.5} aria-label={t('route.answered')} />
        ) : (
          <X size={12} strokeWidth={2.5} aria-label={t('route.failed')} />
        )}
      </span>
      <TypeLogo type={step.type} name={step.name} size={16} />
      <span>
        <b>
          #{step.channel} {step.name}
        </b>{' '}
        {step.key !== undefined && (
          <span className={classes.dim}>{t('route.key', { key: step.key })} </span>
        )}
        <span className={classes.dim}>{words}</span>
        <ReplyFacts step={step} />
      </span>
    </li>
  );
}

/** What the upstream said of its reply: its id of the request, another model, cost, tools, limits, … */
function ReplyFacts({ step }: { step: RouteStep }) {
  const { t } = useTranslation();
  const money = useMoney();
  const { upstream_id: id, replied_model: model, dropped_thinking: dropped, cache_miss } = step;
  const { stated_cost: cost, hosted_tools: tools, reported_usage: usage, limits = [] } = step;
  return (
    <>
      {model !== undefined && (
        <span className={step.other_model ? classes.otherModel : classes.reply}>
          {t(step.other_model ? 'route.otherModel' : 'route.repliedModel', { model })}
        </span>
      )}
      {dropped !== undefined && (
        <span className={classes.reply} title={dropped.join(', ')}>
          {t('route.droppedThinking', { count: dropped.length })}
        </span>
      )}
      {cache_miss !== undefined && (
        <span className={classes.reply}>{t('route.cacheMiss', { reason: cache_miss })}</span>
      )}
      {cost !== undefined && (
        <span className={classes.reply}>
          {t('route.statedCost', { cost: money.cost(Math.round(cost)).text })}
        </span>
      )}
      {tools !== undefined && (
        <span className={classes.reply}>
          {t('route.hostedTools', { tools: toolsText(tools, t('common.joint')) })}
        </span>
      )}
      {usage !== undefined && (
        <span className={classes.reply}>
          {t('route.reportedUsage', { usage: usage.map((one) => JSON.stringify(one)).join(' ') })}
        </span>
      )}
      {limits.map(({ unit, limit, left, reset_ms }) => (
        <span key={unit} className={classes.reply}>
          {t(`route.limits.${unit}`, {
            left: formatCount(left),
            limit: formatCount(limit),
            time: durationText(reset_ms / 1000),
          })}
        </span>
      ))}
      {id !== undefined && <span className={classes.reply}>{t('route.upstreamId', { id })}</span>}
    </>
  );
}

function toolsText(tools: NonNullable<RouteStep['hosted_tools']>, joint: string): string {
  return tools.map(({ tool, count }) => `${tool} × ${formatCount(count)}`).join(joint);
}

/** How the answer came; undefined where it can only come in one piece. */
function modeOf({ entity, other }: LogView): 'realtime' | 'stream' | 'whole' | undefined {
  if (other['ws'] === true) return 'realtime';
  if (entity.is_stream) return 'stream';
  return /\/(images|audio|embeddings|rerank|moderations)\b/.test(other.request_path ?? '')
    ? undefined
    : 'whole';
}

/** What is known of a request that failed. */
function errorFacts(
  { entity, other, secondsText }: LogView,
  t: Translate,
): (readonly [string, string, boolean?])[] {
  const status = [
    other.ended === undefined ? other.status_code : undefined,
    other.error_code,
  ].filter((part) => part !== undefined);
  const source = [other.admin_info?.ip, other.request_path]
    .filter((part) => part !== undefined && part !== '')
    .join(' · ');
  const facts: (readonly [string, string, boolean?])[] = [
    [t('route.cause'), entity.content],
    [t('route.error'), status.join(' · '), true],
    [t('route.total'), `${secondsText} s`],
    [labelOf(logFilters.request), entity.request_id, true],
    [other.admin_info?.ip ? t('route.source') : t('route.path'), source, true],
  ];
  return facts.filter(([, value]) => value !== '');
}

/** The row of the task that was charged or refunded; drawings have a log of their own. */
function TaskLink({ id, model }: { id: string; model: string }) {
  const log = /^(mj_|swap_face$)/.test(model) ? 'midjourney' : 'task';
  return <Link to={`/${log}?id=${encodeURIComponent(id)}`}>{id}</Link>;
}

function Facts({ row, ruled }: { row: LogView; ruled: boolean }) {
  const { t } = useTranslation();
  const money = useMoney();
  const { entity, other, firstToken } = row;
  const total = `${row.secondsText} s`;
  const speed = row.seconds > 0 ? Math.round(entity.completion_tokens / row.seconds) : undefined;
  const facts: (readonly [string, ReactNode, boolean?])[] = [];
  if (row.isRequest) {
    if (firstToken !== undefined && speed !== undefined && speed > 0) {
      facts.push([
        t('route.firstToken'),
        t('route.duration', { first: durationText(firstToken), total, speed: formatCount(speed) }),
      ]);
    } else if (firstToken !== undefined)
      facts.push([
        t('route.firstToken'),
        t('route.durationShort', { first: durationText(firstToken), total }),
      ]);
    else facts.push([t('route.total'), total]);
    const mode = modeOf(row);
    if (mode !== undefined) facts.push([t('route.mode'), t(`route.mode.${mode}`)]);
    if (other.is_model_mapped && other.upstream_model_name)
      facts.push([t('route.upstreamModel'), other.upstream_model_name, true]);
    if (other.reasoning_effort) facts.push([t('route.effort'), other.reasoning_effort]);
    const settled =
      other.ended !== undefined
        ? t(`route.ended.${other.ended}`)
        : row.fixedPrice
          ? t('route.settled.fixed')
          : row.counting !== undefined
            ? t(`route.counted.${row.counting}`)
            : other.usage_source === 'upstream'
              ? t('route.settled.whole')
              : undefined;
    if (settled !== undefined) facts.push([t('route.settled'), settled]);
    const cost = other.admin_info?.below_cost;
    if (cost !== undefined) facts.push([t('route.belowCost'), money.cost(Math.round(cost)).text]);
    const source = [other.admin_info?.ip, other.request_path]
      .filter((part) => part !== undefined && part !== '')
      .join(' · ');
    if (source !== '')
      facts.push([other.admin_info?.ip ? t('route.source') : t('route.path'), source, true]);
  } else if (row.isError) {
    facts.push(...errorFacts(row, t));
  } else {
    facts.push([labelOf(logFilters.time), fullTime(entity.created_at)]);
  }
  if (typeof other['task_id'] === 'string')
    facts.push([
      t('route.task'),
      <TaskLink key="task" id={other['task_id']} model={entity.model_name} />,
      true,
    ]);
  // For images the content repeats the ticket.
  if (entity.content !== '' && !row.isError && row.counting !== 'images')
    facts.push([t('route.content'), textIn(currentLanguage(), row)]);
  return (
    <dl className={classes.facts} data-ruled={ruled || undefined}>
      {facts.map(([label, value, code]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={code ? classes.code : undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
