/**
 * The price ticket as text: a line per kind of token, the group ratio, a separator, the charge
 * (docs/rules/command-line.md#price-lines).
 */
import stringWidth from 'string-width';
import { type Decimal, toNumber, toText } from '../../core/kernel/decimal.ts';
import type { ChargeKind, ChargeLine } from '../../core/pricing/cost.ts';
import type { Ticket } from '../../core/pricing/explain.ts';
import {
  formatAmount,
  formatCost,
  formatCount,
  formatDecimal,
  formatPrice,
  shortNumber,
} from '../../core/pricing/format.ts';
import { isPerCall } from '../../core/pricing/per-call.ts';
import { type Language, localize, type Text } from '../base/text.ts';
import type { Glyphs } from '../kit/glyphs.ts';
import type { Money } from './money.ts';

export interface TicketSettings {
  readonly money: Money;
  readonly glyphs: Glyphs;
  readonly language: Language;
  /** Name of the group whose ratio was applied. */
  readonly group: string;
}

export interface TicketText {
  readonly kind: 'line' | 'ratio' | 'tear' | 'total';
  readonly text: string;
}

const kinds: Readonly<Record<ChargeKind, Text>> = {
  input: { en: 'input', zh: '输入' },
  cached: { en: 'cached', zh: '缓存命中' },
  cachedAudio: { en: 'cached audio', zh: '缓存音频' },
  cachedImage: { en: 'cached images', zh: '缓存图片' },
  cacheWrite: { en: 'cache write', zh: '缓存写入' },
  cacheWrite1h: { en: 'long cache write', zh: '长缓存写入' },
  image: { en: 'image', zh: '图片' },
  audioIn: { en: 'audio in', zh: '音频输入' },
  thinking: { en: 'thinking', zh: '思考' },
  output: { en: 'output', zh: '输出' },
  textOutput: { en: 'text output', zh: '文本输出' },
  audioOut: { en: 'audio out', zh: '音频输出' },
  call: { en: 'per call', zh: '按次' },
  second: { en: 'seconds', zh: '秒' },
  webSearch: { en: 'web search', zh: '联网搜索' },
  toolCall: { en: 'tool call', zh: '工具调用' },
};

/** The name of a line; a tool's own, which is the same in every language, and another model's. */
function labelOf({ kind, tool, model }: ChargeLine, language: Language): string {
  const name = kind === 'toolCall' && tool !== undefined ? tool : localize(language, kinds[kind]);
  return model === undefined ? name : `${model} ${name}`;
}

/** What is in the prices of the lines besides the model's own: name, detail, factor. */
function scaleRows({ scale }: Ticket, { glyphs, language }: TicketSettings): ScaleRow[] {
  if (scale === undefined) return [];
  const { step, tiers } = scale;
  const times = (factor: Decimal) => `${glyphs.times} ${shortNumber(toNumber(factor))}`;
  const named = tiers.map(({ name, factor }) => ({
    name: localize(language, texts.tier),
    detail: name,
    factor: factor === undefined ? localize(language, texts.noFactor) : times(factor),
  }));
  if (step === undefined) return named;
  const factors = [times(step.input), times(step.output)].join(' / ');
  return [
    {
      name: localize(language, texts.longPrompt),
      detail: `> ${formatCount(step.above)}`,
      factor: factors,
    },
    ...named,
  ];
}

interface ScaleRow {
  readonly name: string;
  readonly detail: string;
  readonly factor: string;
}

const padEnd = (text: string, width: number) =>
  text + ' '.repeat(Math.max(0, width - stringWidth(text)));
const padStart = (text: string, width: number) =>
  ' '.repeat(Math.max(0, width - stringWidth(text))) + text;

/** Lines of equal width with right-aligned amounts; the last one is the charge. */
export function ticketLines(ticket: Ticket, settings: TicketSettings): readonly TicketText[] {
  const { glyphs, language, money } = settings;
  const scale = scaleRows(ticket, settings);
  const names = [
    ...scale.map(({ name }) => name),
    ...ticket.lines.map((line) => labelOf(line, language)),
    localize(language, texts.group),
  ];
  const nameWidth = Math.max(...names.map((name) => stringWidth(name))) + 1;
  const rows = ticket.lines.map((line) => ({
    name: labelOf(line, language),
    count: formatCount(line.count),
    price: `${glyphs.times} ${formatPrice(line.price).text}${isPerCall(line.kind) ? '' : '/1M'}`,
    amount: formatAmount(line.amount).text,
  }));
  const widest = (pick: (row: (typeof rows)[number]) => string) =>
    Math.max(0, ...rows.map((row) => stringWidth(pick(row))));
  const countWidth = widest((row) => row.count);
  const priceWidth = widest((row) => row.price);
  const body = rows.map(
    (row) =>
      `${padEnd(row.name, nameWidth)} ${padStart(row.count, countWidth)} ${padEnd(row.price, priceWidth)}`,
  );
  const ratio = `${padEnd(localize(language, texts.group), nameWidth)} ${settings.group}`;
  const charge = formatCost(ticket.quota, money.display).text;
  const unit = money.display.inCurrency
    ? ` ${glyphs.divided} ${formatDecimal(money.display.quotaPerUnit)}`
    : '';
  const sum = ticket.exact
    ? `${formatDecimal(ticket.raw)} ${glyphs.arrow} ${formatCount(ticket.quota)}${unit}`
    : localize(language, texts.otherwise);
  const factor = `${glyphs.times} ${toText(ticket.groupRatio)}`;
  const scales = scale.map(({ name, detail }) => `${padEnd(name, nameWidth)} ${detail}`);
  const left = Math.max(...[...body, ...scales, ratio, sum].map((text) => stringWidth(text))) + 2;
  const right = Math.max(
    ...rows.map((row) => stringWidth(row.amount)),
    ...scale.map((row) => stringWidth(row.factor)),
    stringWidth(factor),
    stringWidth(charge),
  );
  const joined = (kind: TicketText['kind'], first: string, last: string): TicketText => ({
    kind,
    text: `${padEnd(first, left)}${padStart(last, right)}`,
  });
  return [
    ...body.map((text, index) => joined('line', text, rows[index]?.amount ?? '')),
    ...scales.map((text, index) => joined('ratio', text, scale[index]?.factor ?? '')),
    joined('ratio', ratio, factor),
    { kind: 'tear', text: '- '.repeat(Math.ceil((left + right) / 2)).slice(0, left + right) },
    joined('total', sum, charge),
  ];
}

const texts = {
  group: { en: 'group', zh: '分组' },
  longPrompt: { en: 'long prompt', zh: '长提示词' },
  tier: { en: 'tier', zh: '服务等级' },
  noFactor: { en: 'no price', zh: '无价格' },
  otherwise: { en: 'charged differently', zh: '按其他方式计费' },
} as const;
