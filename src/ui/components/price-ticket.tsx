/**
 * One charge, explained: a line per kind of token, then the group ratio, the tear, `raw → rounded ÷
 * unit`, the charge (docs/rules/console.md#price-ticket). Lines add up before rounding; rounding is
 * shown once, because it happens once.
 */
import type { LogEntity } from '../../core/contract/entities.ts';
import { type LogOther, readLogOther } from '../../core/contract/log-other.ts';
import { decimal, toNumber, toText } from '../../core/kernel/decimal.ts';
import { parseObject } from '../../core/kernel/json.ts';
import { type Counting, countingOf } from '../../core/pricing/counting.ts';
import type { Scale } from '../../core/pricing/details.ts';
import { explainLog, type TicketLine } from '../../core/pricing/explain.ts';
import {
  formatAmount,
  formatCount,
  formatDecimal,
  formatPrice,
  shortNumber,
} from '../../core/pricing/format.ts';
import { isPerCall } from '../../core/pricing/per-call.ts';
import { useMoney } from '../hooks/use-money.ts';
import { type TextKey, useTranslation } from '../i18n/index.ts';
import { TotalText } from './money-text.tsx';
import classes from './price-ticket.module.css';
import { Ticket } from './ticket.tsx';
import { useCopy } from './use-copy.tsx';

/** `20261120190452…Ab3dEf9k` without its middle. */
function shortRequestId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 4)}…${id.slice(-6)}`;
}

export function PriceTicket({ row }: { row: LogEntity }) {
  const { t } = useTranslation();
  const money = useMoney();
  const { copy } = useCopy();
  const other = readLogOther(row.other);
  const charged = other.is_test ? (other.test_quota ?? 0) : row.quota;
  const ticket = explainLog(
    { ...row, quota: charged, other: parseObject(row.other) ?? {} },
    money.display.quotaPerUnit,
  );
  const counting = countingOf(row.model_name, other);
  const pictures = usePictureNote(other);
  const unit = money.display.inCurrency ? `÷ ${formatDecimal(money.display.quotaPerUnit)}` : '';
  const head = (
    <div className={classes.head}>
      <h2 className={classes.title}>{t('ticket.title')}</h2>
      {row.request_id !== '' && (
        <button
          type="button"
          className={classes.requestId}
          title={t('ticket.requestId', { id: row.request_id })}
          onClick={() => void copy(row.request_id)}
        >
          {shortRequestId(row.request_id)}
        </button>
      )}
    </div>
  );
  const total = (
    <>
      {ticket?.exact && (
        <div className={classes.line}>
          <span>{t('ticket.rounding')}</span>
          <span className={classes.formula}>
            {[...new Set([formatDecimal(ticket.raw), formatCount(ticket.quota)])].join(' → ')}
          </span>
          <span className={classes.amountDim}>{unit}</span>
        </div>
      )}
      <div className={classes.total}>
        <span>{t('ticket.charged')}</span>
        <b>{other.is_test ? <TotalText quota={0} /> : money.cost(row.quota).text}</b>
      </div>
      {other.is_test && <p className={classes.note}>{t('ticket.test')}</p>}
      {other.debt !== undefined && other.debt > 0 && (
        <p className={classes.note}>{t('ticket.debt', { amount: money.cost(other.debt).text })}</p>
      )}
      {other.uncharged !== undefined && other.uncharged > 0 && (
        <p className={classes.note}>
          {t('ticket.uncharged', { amount: money.cost(other.uncharged).text })}
        </p>
      )}
      {ticket !== undefined && !ticket.exact && (
        <p className={classes.note}>{t('ticket.inexact')}</p>
      )}
    </>
  );
  return (
    <Ticket foot={total} label={t('ticket.title')}>
      {head}
      {ticket === undefined ? (
        <p className={classes.note}>{t('ticket.none')}</p>
      ) : (
        <>
          {ticket.lines.map((line) => (
            <PricedLine
              key={[line.model, line.kind, line.tool].join()}
              line={line}
              counting={counting}
            />
          ))}
          {pictures !== undefined && (
            <div className={classes.line}>
              <span>{t('ticket.pictures')}</span>
              <span className={classes.formula}>{pictures}</span>
            </div>
          )}
          {ticket.scale !== undefined && <ScaleLines scale={ticket.scale} />}
          <div className={classes.line}>
            <span>{t('ticket.groupRatio')}</span>
            <span className={classes.formula}>{other.group ?? row.group}</span>
            <span className={classes.amount}>× {toText(ticket.groupRatio)}</span>
          </div>
        </>
      )}
    </Ticket>
  );
}

/**
 * Size and quality of pictures charged one by one, and what they make of the price; undefined:
 * there were none.
 */
function usePictureNote(other: LogOther): string | undefined {
  const { display } = useMoney();
  const {
    image_count: count,
    image_size: size,
    image_quality: quality,
    image_factor: factor,
    model_price: price,
  } = other;
  if (typeof count !== 'number') return undefined;
  const what = [size, quality]
    .filter((word) => typeof word === 'string' && word !== '')
    .join(' · ');
  if (typeof price !== 'number' || typeof factor !== 'number' || factor === 1) return what;
  return `${what} · ${formatPrice(decimal(price), display).text} × ${factor}`;
}

/** What was counted, where the kind of token says less. */
function labelOf({ kind }: TicketLine, counting: Counting | undefined): TextKey {
  if (kind === 'call' && counting === 'images') return 'ticket.line.picture';
  if (kind === 'input' && counting === 'characters') return 'ticket.line.characters';
  return `ticket.line.${kind}`;
}

/** What is in the prices of the lines besides the model's own. */
function ScaleLines({ scale: { step, tiers } }: { scale: Scale }) {
  const { t } = useTranslation();
  return (
    <>
      {step !== undefined && (
        <div className={classes.line}>
          <span>{t('ticket.longPrompt')}</span>
          <span className={classes.formula}>{`> ${formatCount(step.above)}`}</span>
          <span className={classes.amount}>
            × {shortNumber(toNumber(step.input))} / × {shortNumber(toNumber(step.output))}
          </span>
        </div>
      )}
      {tiers.map(({ name, factor }) => (
        <div key={name} className={classes.line}>
          <span>{t('ticket.tier')}</span>
          <span className={classes.formula}>{name}</span>
          <span className={classes.amount}>
            {factor === undefined ? t('ticket.noFactor') : `× ${shortNumber(toNumber(factor))}`}
          </span>
        </div>
      ))}
    </>
  );
}

function PricedLine({ line, counting }: { line: TicketLine; counting: Counting | undefined }) {
  const { t } = useTranslation();
  const { display } = useMoney();
  const count = formatCount(line.count);
  const price = formatPrice(line.price, display).text;
  const label = line.kind === 'toolCall' ? line.tool : t(labelOf(line, counting));
  return (
    <div className={classes.line}>
      <span>{line.model === undefined ? label : `${line.model} ${label}`}</span>
      <span className={classes.formula}>
        {isPerCall(line.kind)
          ? t('ticket.perCall', { n: count, price })
          : t('ticket.perMillion', { n: count, price })}
      </span>
      <span className={classes.amount}>{formatAmount(line.amount, display).text}</span>
    </div>
  );
}
