/** The interchange: your app, and an exit for each of four models with its live price. */
import { useQuery } from '@tanstack/react-query';
import type { PricingRow } from '../../../core/contract/catalog.ts';
import { decimal, multiply } from '../../../core/kernel/decimal.ts';
import { formatPrice } from '../../../core/pricing/format.ts';
import { pricePerMillion } from '../../../core/pricing/price-per-million.ts';
import { client } from '../../client/api.ts';
import { type LogoFile, logoFiles } from '../../components/provider-logo-files.ts';
import { logoOfModel } from '../../components/provider-logo-names.ts';
import { RoadSign } from '../../components/road-sign.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import classes from './login-sign.module.css';

interface Exit {
  readonly name: string;
  readonly note: string;
  readonly unit: string;
  readonly logo: LogoFile | undefined;
}

const exitCount = 4;
/** Before a model is on sale the sign shows the doors clients come in by. */
const doors: readonly Exit[] = [
  { name: 'OpenAI Chat', note: '/v1/chat/completions', unit: '', logo: logoFiles.openai },
  { name: 'Anthropic', note: '/v1/messages', unit: '', logo: logoFiles.claude },
  { name: 'Gemini', note: '/v1beta/models', unit: '', logo: logoFiles.gemini },
  { name: 'OpenAI Responses', note: '/v1/responses', unit: '', logo: logoFiles.openai },
];

/** What one talks to costs more per token of answer; speech and embeddings do not. */
const talks = ({ completion_ratio: ratio }: PricingRow) => (ratio > 1 ? 1 : 0);

/**
 * Those to talk to first; a name that fits the sign, and the plainest of its maker, has few
 * characters.
 */
const byPlainness = (a: PricingRow, b: PricingRow) =>
  talks(b) - talks(a) ||
  a.model_name.length - b.model_name.length ||
  a.model_name.localeCompare(b.model_name);

/**
 * Models that visitors can buy by the token, one of each maker first, so that four exits look like
 * four roads.
 */
function pickModels(rows: readonly PricingRow[]): readonly PricingRow[] {
  const offered = rows
    .filter(
      (row) =>
        row.quota_type === 0 &&
        !row.unpriced &&
        row.model_ratio > 0 &&
        logoOfModel(row.model_name) !== undefined,
    )
    .sort(byPlainness);
  const seen = new Set<string>();
  const first = offered.filter((row) => {
    const maker = logoOfModel(row.model_name) ?? '';
    if (seen.has(maker)) return false;
    seen.add(maker);
    return true;
  });
  return [...first, ...offered.filter((row) => !first.includes(row))].slice(0, exitCount);
}

function useExits(): readonly Exit[] {
  const { display, quotaPerUnit } = useMoney();
  const { data } = useQuery({
    queryKey: queryKeys.pricing.of(undefined),
    queryFn: () => client.catalog.pricing(),
    staleTime: 60_000,
  });
  const models = pickModels(data?.data ?? []);
  if (models.length < exitCount) return doors;
  const groupRatio = decimal(data?.group_ratio['default'] ?? 1);
  return models.map((row) => {
    const key = logoOfModel(row.model_name);
    const price = pricePerMillion(
      multiply(decimal(row.model_ratio), groupRatio),
      decimal(quotaPerUnit),
    );
    return {
      name: row.model_name,
      note: formatPrice(price, display).text,
      unit: '/ 1M',
      logo: key === undefined ? undefined : logoFiles[key],
    };
  });
}

export function LoginSign() {
  const { t } = useTranslation();
  const exits = useExits();
  return (
    <RoadSign width={620}>
      <h2 className={classes.title}>{t('login.sign.title')}</h2>
      <p className={classes.subtitle}>{t('login.sign.subtitle')}</p>
      <div className={classes.interchange}>
        <svg
          className={classes.road}
          viewBox="0 0 100 450"
          width="100"
          height="450"
          aria-hidden="true"
          focusable="false"
        >
          <path d="M18 450V24" stroke="#fff" strokeWidth="12.5" />
          <path d="M18 0 36 30H0Z" fill="#fff" />
          {[110, 194, 278].map((y) => (
            <g key={y}>
              <path
                d={`M18 ${y + 44}C18 ${y + 14} 34 ${y} 58 ${y}H74`}
                stroke="#fff"
                strokeWidth="8"
                fill="none"
              />
              <path d={`M72 ${y - 14} 98 ${y} 72 ${y + 14}Z`} fill="#fff" />
            </g>
          ))}
          <path d="M18 450V374" stroke="var(--tp-sign)" strokeWidth="2" strokeDasharray="8 6" />
        </svg>
        <ul className={classes.exits}>
          {exits.map((exit) => (
            <li key={exit.name}>
              {exit.logo !== undefined && (
                <i
                  className={classes.logo}
                  style={{
                    maskImage: `url("${exit.logo.url}")`,
                    WebkitMaskImage: `url("${exit.logo.url}")`,
                  }}
                  aria-hidden="true"
                />
              )}
              <b>{exit.name}</b>
              <span className={exit.unit === '' ? classes.path : classes.price}>{exit.note}</span>
              {exit.unit !== '' && <span className={classes.unit}>{exit.unit}</span>}
            </li>
          ))}
        </ul>
        <p className={classes.app}>
          <b>{t('login.sign.app')}</b>
          <span>{t('login.sign.app.hint')}</span>
        </p>
      </div>
    </RoadSign>
  );
}
